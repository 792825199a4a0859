import OpenAI, { toFile } from 'openai-7'
import { expect, test } from 'vitest'

import { type TestGateway, createTestGateway } from '../../src/testing/gateway.ts'
import { expectError } from '../errors/envelope.ts'

function clientOf({ url, key }: TestGateway): OpenAI {
  return new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 })
}

const file = () => toFile(Buffer.from('x'), 'x.mp4')

const calls: Record<string, (client: OpenAI) => PromiseLike<unknown>> = {
  'POST /v1/videos/edits': (client) =>
    client.videos.edit({ prompt: 'a cat', video: { id: 'video_1' } }),
  'POST /v1/videos/extensions': (client) =>
    client.videos.extend({ prompt: 'a cat', seconds: '4', video: { id: 'video_1' } }),
  'POST /v1/videos/characters': async (client) =>
    client.videos.createCharacter({ name: 'Tom', video: await file() }),
  'GET /v1/videos/characters/char_1': (client) => client.videos.getCharacter('char_1'),
  'POST /v1/images/variations': async (client) =>
    client.images.createVariation({ image: await file() }),
}

test.each(Object.entries(calls))(
  'whoever calls %s is told that it is not offered',
  async (place, call) => {
    await using gateway = await createTestGateway()
    await expect(call(clientOf(gateway))).rejects.toMatchObject({
      status: 404,
      error: {
        code: 404,
        message: `This gateway does not support ${place.replace('char_1', '{id}')}.`,
      },
    })
  },
)

test('what is not offered is in no description', async () => {
  await using gateway = await createTestGateway()
  const text = await (await fetch(`${gateway.url}/openapi.json`)).text()
  expect(text).toContain('/v1/videos/{id}')
  expect(text).not.toMatch(/extensions|variations|characters/)
})

test.each(['/v1/files/abc', '/v1/fine_tuning/jobs', '/v1/operations/x/y', '/nowhere'])(
  'OpenAI’s clients read what %s answers',
  async (path) => {
    await using gateway = await createTestGateway()
    const headers = { authorization: `Bearer ${gateway.key}` }
    await expectError('general', await fetch(gateway.url + path, { headers }), 404)
  },
)

test('so they do where a path is asked in the wrong way', async () => {
  await using gateway = await createTestGateway()
  await expectError('general', await fetch(`${gateway.url}/v1/files/upload_url`), 405)
})

test.each(['/v1beta/operations', '/v1beta/files', '/v1alpha/nowhere', '/v1beta1/files'])(
  'Google’s clients read what %s answers',
  async (path) => {
    await using gateway = await createTestGateway()
    const headers = { 'x-goog-api-key': gateway.key }
    await expectError('generate', await fetch(gateway.url + path, { headers }), 404)
  },
)

test('whoever asks for an action that nobody has is told those that there are', async () => {
  await using gateway = await createTestGateway()
  const ask = async (path: string) => {
    const response = await fetch(`${gateway.url}/v1beta/${path}`, { method: 'POST' })
    return ((await response.json()) as { error: { message: string } }).error.message
  }
  expect(await ask('operations/x:cancel')).toBe(
    'Unknown action `cancel`. Actions of this path: fetchPredictOperation.',
  )
  expect(await ask('models/m:asyncBatchEmbedContent')).toMatch(
    /Actions of this path: \w+, .*predictLongRunning/,
  )
})
