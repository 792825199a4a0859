import { request } from 'node:http'

import { expect, test } from 'vitest'

import { type DialectName, dialectNames, dialects } from '../requests/dialects.ts'
import { type Service, startService } from '../requests/service.ts'

test.each(dialectNames)('%s: ?key= is never passed on', async (dialect) => {
  await using service = await startService()
  const { key } = service.gateway
  for (const query of [`key=${key}`, `a=1&key=${key}&b=2`, `k%65y=${key}`, `key=${key}&key=2`]) {
    const path = `${dialects[dialect].path}?${query}`
    expect((await service.ask(dialect, {}, { path })).status).toBe(200)
    expect(service.received().url).not.toContain(key)
    expect(service.received().url).not.toMatch(/[?&]k(e|%65)y=/)
  }
})

test('the rest of a query is passed on', async () => {
  await using service = await startService()
  const path = `/v1beta/models/m:generateContent?key=${service.gateway.key}&fields=candidates&x=%20`
  expect((await service.ask('generate', {}, { path })).status).toBe(200)
  const [, query] = service.received().url.split('?')
  expect(Object.fromEntries(new URLSearchParams(query))).toEqual({ fields: 'candidates', x: ' ' })
})

/** With headers that fetch does not let anybody set. */
function send(service: Service, dialect: DialectName, headers: Record<string, string | string[]>) {
  const { path, credential, request: body } = dialects[dialect]
  const { url, key } = service.gateway
  return new Promise<number | undefined>((resolve, reject) => {
    const all = { ...credential(key), ...headers }
    const sending = request(url + path, { method: 'POST', headers: all }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode))
    })
    sending.once('error', reject).end(JSON.stringify(body))
  })
}

test.each(dialectNames)('%s: headers of the connection stay on it', async (dialect) => {
  await using service = await startService()
  const status = await send(service, dialect, {
    connection: 'close, X-Hop,x-other-hop',
    'x-hop': 'hop-canary',
    'x-other-hop': 'hop-canary',
    'keep-alive': 'timeout=hop-canary',
    te: 'trailers',
    trailer: 'hop-canary',
    'proxy-connection': 'hop-canary',
    upgrade: 'hop-canary',
    expect: '100-continue',
    'x-stays': 'yes',
  })
  expect(status).toBe(200)
  const { headers } = service.received()
  expect(JSON.stringify(headers)).not.toContain('hop-canary')
  expect(headers).toMatchObject({ 'x-stays': 'yes', 'accept-encoding': 'identity' })
  for (const name of ['te', 'trailer', 'upgrade', 'expect', 'transfer-encoding']) {
    expect(headers).not.toHaveProperty(name)
  }
  expect(headers.host).toBe(new URL(service.upstream.url).host)
})

test('headers that stand several times arrive with all their values', async () => {
  await using service = await startService()
  expect(await send(service, 'messages', { 'anthropic-beta': ['a', 'b'] })).toBe(200)
  expect(service.received().headers['anthropic-beta']).toBe('a, b')
})

test('reply headers of an account pass where a client has a use for them', async () => {
  await using service = await startService({}, (response) => {
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'x-ratelimit-remaining-requests': '9',
      'anthropic-ratelimit-tokens-limit': '5',
      'openai-processing-ms': '12',
      'set-cookie': 'session=canary',
      'openai-organization': 'canary',
      'x-request-id': 'canary',
      server: 'canary',
      via: 'canary',
      'strict-transport-security': 'canary',
    })
    response.end('{}')
  })
  const { headers } = await service.ask('chat')
  expect(headers.get('x-ratelimit-remaining-requests')).toBe('9')
  expect(headers.get('anthropic-ratelimit-tokens-limit')).toBe('5')
  expect(headers.get('openai-processing-ms')).toBe('12')
  expect(headers.get('x-dragoman-account')).toBe('openai')
  expect(JSON.stringify([...headers])).not.toContain('canary')
})
