import { expect, test } from 'vitest'

import { startService } from '../requests/service.ts'
import { expectError, words } from './envelope.ts'

const known =
  'generateContent, streamGenerateContent, countTokens, embedContent, batchEmbedContents, predict, predictLongRunning'
const ofModels = `${known}, fetchPredictOperation`

test.each([
  ['/v1beta/models/echo:generateAnswer', 'generateAnswer', ofModels],
  ['/v1beta/models/sandbox/echo:frobnicate', 'frobnicate', ofModels],
  ['/v1/publishers/google/models/echo:rawPredict', 'rawPredict', ofModels],
  ['/v1alpha/sandbox/echo:editText', 'editText', known],
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

const places = [
  '/v1beta/models/echo',
  '/v1/models/pub/echo',
  '/v1alpha/publishers/google/models/echo',
  '/v1beta1/projects/p/locations/l/publishers/pub/models/echo',
]
const actions = [
  ':generateContent',
  ':streamGenerateContent',
  ':countTokens',
  ':predictLongRunning',
  ':fetchPredictOperation',
  '%3AgenerateContent',
]

test.each(places)('an action of %s that is read is no model', async (place) => {
  await using service = await startService()
  const { url, key } = service.gateway
  for (const action of actions) {
    for (const method of ['GET', 'HEAD']) {
      const headers = { 'x-goog-api-key': key }
      const response = await fetch(url + place + action, { method, headers })
      expect([action, method, response.status]).toEqual([action, method, 405])
      expect(response.headers.get('allow')).toBe('POST')
      if (method === 'GET') expect(await response.json()).toMatchObject({ error: { code: 405 } })
    }
  }
})

test('an unknown action that is read is no model either, and a name with a colon is one', async () => {
  await using service = await startService()
  const { url, key } = service.gateway
  const get = async (path: string) => {
    const response = await fetch(url + path, { headers: { 'x-goog-api-key': key } })
    return response.status
  }
  for (const action of ['editText', 'rawPredict', 'generateAnswer']) {
    expect(await get(`/v1beta/models/echo:${action}`)).toBe(404)
    expect(await get(`/v1/models/echo:${action}`)).toBe(404)
  }
  expect(await get('/v1/models/llama3:8b')).toBe(200)
  expect(await get('/v1beta/models/ft:gpt-4o:acme::7p4lURel')).toBe(200)
})
