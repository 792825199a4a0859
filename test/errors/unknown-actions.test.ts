import { expect, test } from 'vitest'

import { startService } from '../requests/service.ts'
import { expectError, words } from './envelope.ts'

const known = 'generateContent, streamGenerateContent, countTokens, predictLongRunning'
const ofModels = `${known}, fetchPredictOperation`

test.each([
  ['/v1beta/models/echo:embedContent', 'embedContent', ofModels],
  ['/v1beta/models/sandbox/echo:frobnicate', 'frobnicate', ofModels],
  ['/v1/publishers/google/models/echo:embedContent', 'embedContent', ofModels],
  ['/v1alpha/sandbox/echo:batchEmbedContents', 'batchEmbedContents', known],
])('a client that posts to %s is told which actions there are', async (path, action, actions) => {
  await using service = await startService()
  const { url, key } = service.gateway
  const headers = { 'x-goog-api-key': key, 'content-type': 'application/json' }

  const response = await fetch(url + path, { method: 'POST', headers, body: '{}' })

  const { error } = await expectError('generate', response, 404, words.notFound)
  expect(error.message).toBe(`Unknown action \`${action}\`. Actions of this path: ${actions}.`)
  expect(response.headers.has('allow')).toBe(false)
})

test('what is no action of a model is answered as before', async () => {
  await using service = await startService()
  const { url, key } = service.gateway
  const post = (path: string) =>
    fetch(url + path, { method: 'POST', headers: { authorization: `Bearer ${key}` } })

  expect((await post('/v1/responses/resp_1:frobnicate')).status).toBe(405)
  expect((await post('/v1beta/models/echo')).status).toBe(405)
  expect((await post('/v1beta:frobnicate')).status).toBe(404)
})
