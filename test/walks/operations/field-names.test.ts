import { expect, test } from 'vitest'

import { videoStage } from '../videos/stage.ts'
import { askOperation, operationStage } from './stage.ts'

const path = '/v1beta/models/sandbox/polls=0:predictLongRunning'

/** The field that a refusal is about, in its words and in its details. */
async function refusedField(stage: Parameters<typeof askOperation>[0], instance: object) {
  const refused = await askOperation(stage, path, { body: { instances: [instance] } })
  expect(refused.status).toBe(400)
  const [, told] = /`([^`]+)`/.exec(refused.error?.message ?? '') ?? []
  return told
}

const picture = { bytesBase64Encoded: 'aaaa', mimeType: 'image/png' }
const foreign = { uri: 'https://elsewhere.example/a.mp4' }

test('a client is told of fields where it wrote them', async () => {
  await using stage = await operationStage()
  expect(await refusedField(stage, { prompt: 7 })).toBe('instances[0].prompt')
})

test.each([
  [{ image: {} }, 'instances[0].image'],
  [{ lastFrame: {} }, 'instances[0].lastFrame'],
  [{ lastFrame: picture }, 'instances[0].lastFrame'],
  [{ video: foreign }, 'instances[0].video'],
  [{ image: { gcsUri: 'gs://bucket/a.png' } }, 'instances[0].image'],
])('%j, where an account of the Videos API is asked, is refused as %s', async (fields, name) => {
  await using stage = await videoStage()
  expect(await refusedField(stage, { prompt: 'a cat', ...fields })).toBe(name)
  expect(stage.sandbox.requests).toEqual([])
})

test('a picture that is nowhere is refused before an account is asked', async () => {
  await using stage = await operationStage()
  expect(await refusedField(stage, { prompt: 'a cat', image: {} })).toBe('instances[0].image')
  expect(stage.sandbox.requests).toEqual([])
})

test('a picture in a bucket is for an account that reads there, past one that does not', async () => {
  await using stage = await videoStage({
    accounts: [
      { id: 'a', speaks: ['videos'] },
      { id: 'b', speaks: ['video-operations'], priority: 1 },
    ],
  })
  const image = { gcsUri: 'gs://bucket/a.png', mimeType: 'image/png' }
  const body = { instances: [{ prompt: 'a cat', image }], parameters: { aspectRatio: '16:9' } }
  await askOperation(stage, path, { body })
  expect(stage.sandbox.requests).toMatchObject([{ headers: { 'x-goog-api-key': 'sandbox-key-b' } }])
})

test('an error says that only the account can read its bucket', async () => {
  await using stage = await videoStage()
  const image = { gcsUri: 'gs://bucket/a.png' }
  const body = { instances: [{ prompt: 'a cat', image }] }
  const refused = await askOperation(stage, path, { body })
  expect(refused.error?.message).toContain('only the account that stores a file can read it')
})
