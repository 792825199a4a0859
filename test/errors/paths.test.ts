import { expect, test } from 'vitest'

import { startService } from '../requests/service.ts'
import type { DialectName } from '../requests/dialects.ts'
import { expectError, words } from './envelope.ts'

const unknown = ['/v1', '/v1/', '/v3/responses', '/v1/responses/', '/v1/Responses', '/v1/evals']

test.each(unknown)('%s is nowhere', async (path) => {
  await using service = await startService()
  const { url, key } = service.gateway
  for (const method of ['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'OPTIONS']) {
    const headers = { authorization: `Bearer ${key}` }
    const { error } = await expectError(
      'general',
      await fetch(url + path, { method, headers }),
      404,
    )
    expect(error).toMatchObject({ code: 404, type: 'invalid_request_error' })
    const ofMessages = { ...headers, 'anthropic-version': '2023-06-01' }
    await expectError('messages', await fetch(url + path, { method, headers: ofMessages }), 404)
  }
})

test('an unknown path is nowhere for strangers too', async () => {
  await using service = await startService()
  await expectError('general', await fetch(`${service.gateway.url}/nowhere`), 404)
})

const allowed: [string, string, DialectName | 'general'][] = [
  ['/v1/responses', 'POST', 'responses'],
  ['/v1/chat/completions', 'POST', 'chat'],
  ['/v1/messages', 'POST', 'messages'],
  ['/v1/messages/count_tokens', 'POST', 'messages'],
  ['/v1/models', 'GET', 'general'],
  ['/v1beta/models', 'GET', 'generate'],
  ['/openapi.json', 'GET', 'general'],
  ['/livez', 'GET', 'general'],
  ['/readyz', 'GET', 'general'],
]

test.each(allowed)('%s takes %s and says so as %s', async (path, method, dialect) => {
  await using service = await startService()
  const { url, key } = service.gateway
  const headers = { authorization: `Bearer ${key}` }
  for (const other of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    if (other === method) continue
    const response = await fetch(url + path, { method: other, headers })
    const { error } = await expectError(dialect, response, 405, words.invalid)
    expect({ other, allow: response.headers.get('allow') }).toEqual({ other, allow: method })
    const socket = ', or a handshake of a WebSocket with `Upgrade: websocket`'
    const ways = other === 'GET' && path === '/v1/responses' ? method + socket : method
    expect(error.message).toBe(`This path does not allow ${other}: use ${ways}.`)
  }
})

test('a verb takes POST and says so', async () => {
  await using service = await startService()
  const { url } = service.gateway
  const response = await fetch(`${url}/v1beta/models/m:generateContent`, { method: 'PUT' })
  await expectError('generate', response, 405, words.invalid)
  expect(response.headers.get('allow')?.split(', ')).toContain('POST')
})

test('on a shared path, a wrong method is told in the dialect of the client', async () => {
  await using service = await startService()
  const url = `${service.gateway.url}/v1/models`
  const version = { 'anthropic-version': '2023-06-01' }
  const messages = await fetch(url, { method: 'PUT', headers: version })
  await expectError('messages', messages, 405, words.invalid)
  const gemini = await fetch(url, { method: 'PUT', headers: { 'x-goog-api-key': 'x' } })
  await expectError('generate', gemini, 405, words.invalid)
})

test('HEAD is a GET without its body', async () => {
  await using service = await startService()
  const { url, key } = service.gateway
  const headers = { authorization: `Bearer ${key}` }
  const head = await fetch(`${url}/v1/models`, { method: 'HEAD', headers })
  const get = await fetch(`${url}/v1/models`, { headers })
  expect(head.status).toBe(200)
  expect(await head.text()).toBe('')
  expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'))
})

test('a percent sign that encodes nothing makes a path that is nowhere', async () => {
  await using service = await startService()
  for (const model of ['%', '%zz', 'a%2', '%C3%28', '%ff']) {
    const path = `/v1beta/models/${model}:generateContent`
    await expectError('generate', await service.ask('generate', {}, { path }), 404)
  }
  expect(service.upstream.requests).toEqual([])
})
