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
