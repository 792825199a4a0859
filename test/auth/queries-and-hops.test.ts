import { request } from 'node:http'

import { expect, test } from 'vitest'

import { type DialectName, dialectNames, dialects } from '../requests/dialects.ts'
import { type Service, accountsAt, startService } from '../requests/service.ts'

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

/** Parameters that change what an account does, for whom, or the form of its reply. */
const changing = [
  'oauth_token=x',
  '$key=x',
  'api_key=x',
  'access_token=x',
  'accessToken=x',
  '$alt=media',
  'alt=media',
  '%61lt=proto',
  'callback=x',
  'fields=candidates',
  '%24.xgafv=2',
  'quotaUser=x',
  'userIp=1.1.1.1',
  'prettyPrint=false',
  'upload_protocol=raw',
  'api-version=1',
  'model=ng-secret',
  'x=1',
  'Include=x',
  'include.x=1',
  'include[oauth_token]=1',
  '=x',
  'x',
  '%zz=1',
]

test.each(dialectNames)(
  '%s: parameters that the dialect does not name stay here',
  async (dialect) => {
    await using service = await startService()
    const path = `${dialects[dialect].path}?${changing.join('&')}&&`
    expect((await service.ask(dialect, {}, { path })).status).toBe(200)
    expect(service.received().url).toBe(dialects[dialect].path)
  },
)

const named: [DialectName, string][] = [
  ['messages', 'beta=true'],
  ['responses', 'include[]=a.b&include=c&limit=5&order=asc&after=x%2Fy&stream=false'],
  ['generate', 'pageSize=5&pageToken=a+b%20c'],
]

test.each(named)(
  '%s: parameters that the dialect names pass as they are: %s',
  async (dialect, query) => {
    await using service = await startService()
    const path = `${dialects[dialect].path}?x=1&${query}&y=2`
    expect((await service.ask(dialect, {}, { path })).status).toBe(200)
    expect(service.received().url).toBe(`${dialects[dialect].path}?${query}`)
  },
)

test('a parameter that passes brings no other with it', async () => {
  await using service = await startService()
  const { key } = service.gateway
  for (const query of [
    'include=a;oauth_token=b',
    'include=a%00;oauth_token=b',
    'include=a?oauth_token=b',
    'include=\u00e9',
    'limit=1\\u0026oauth_token=b',
    `include=${key}`,
    `include[]=x${encodeURIComponent(key)}`,
  ]) {
    const path = `${dialects.responses.path}?${query}`
    expect((await service.ask('responses', {}, { path })).status).toBe(200)
    const [, sent = ''] = service.received().url.split('?')
    expect(decodeURIComponent(sent)).not.toContain(key)
    expect(sent).toMatch(/^(?:(?:include|limit)=[\w%]*)?$/)
  }
})

test('parameters and headers that an account is configured to get pass, in its own dialect', async () => {
  await using service = await startService()
  const [openai, anthropic, gemini] = accountsAt(service.upstream.url)
  const forward = { headers: ['X-Acme-*', 'HTTP-Referer', 'x-trace'], query: ['api-version'] }
  const accounts = [
    { ...openai!, forward },
    anthropic!,
    { ...gemini!, forward: { headers: ['x-one'] } },
  ]
  service.gateway.reload({ accounts })
  const own = {
    'x-acme-team': 'a',
    'x-acme-api-key': 'canary',
    'x-acme-workspace': 'canary',
    'http-referer': 'b',
    'x-trace': 'c',
    'x-one': 'd',
    'x-other': 'canary',
  }
  const sent = async (dialect: DialectName) => {
    const path = `${dialects[dialect].path}?api-version=1&x=2`
    expect((await service.ask(dialect, {}, { headers: own, path })).status).toBe(200)
    const { headers, url } = service.received()
    expect(JSON.stringify(headers)).not.toContain('canary')
    const names = Object.keys(own).filter((name) => name in headers)
    return [...names, url.split('?')[1]]
  }
  expect(await sent('chat')).toEqual(['x-acme-team', 'http-referer', 'x-trace', 'api-version=1'])
  expect(await sent('messages')).toEqual([undefined])
  expect(await sent('generate')).toEqual(['x-one', undefined])
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
    connection: 'close, X-Hop,x-other-hop, Session-Id',
    'session-id': 'hop-canary',
    'x-hop': 'hop-canary',
    'x-other-hop': 'hop-canary',
    'keep-alive': 'timeout=hop-canary',
    te: 'trailers',
    trailer: 'hop-canary',
    'proxy-connection': 'hop-canary',
    upgrade: 'hop-canary',
    expect: '100-continue',
    'x-session-id': 'yes',
  })
  expect(status).toBe(200)
  const { headers } = service.received()
  expect(JSON.stringify(headers)).not.toContain('hop-canary')
  expect(headers).toMatchObject({ 'x-session-id': 'yes', 'accept-encoding': 'identity' })
  for (const name of ['te', 'trailer', 'upgrade', 'expect', 'transfer-encoding']) {
    expect(headers).not.toHaveProperty(name)
  }
  expect(headers.host).toBe(new URL(service.upstream.url).host)
})

test.each(dialectNames)(
  '%s: a header that contains the key of the client stays here',
  async (dialect) => {
    await using service = await startService()
    const { key } = service.gateway
    const headers = { 'x-session-id': `of ${key}`, 'user-agent': key, 'idempotency-key': 'i' }
    expect((await service.ask(dialect, {}, { headers })).status).toBe(200)
    expect(JSON.stringify(service.received().headers)).not.toContain(key)
    expect(service.received().headers['idempotency-key']).toMatch(/^[\da-f]{64}$/)
  },
)

test('headers that stand several times arrive with all their values', async () => {
  await using service = await startService()
  expect(await send(service, 'messages', { 'anthropic-beta': ['a', 'b'] })).toBe(200)
  expect(service.received().headers['anthropic-beta']).toBe('a, b')
})

test('reply headers of an account pass where a client has a use for them', async () => {
  await using service = await startService({}, (response) => {
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'x-ratelimit-remaining-requests': 'canary',
      'anthropic-ratelimit-tokens-limit': 'canary',
      'openai-processing-ms': '12',
      'set-cookie': 'session=canary',
      'openai-organization': 'canary',
      'x-request-id': 'canary',
      server: 'canary',
      via: 'canary',
      'strict-transport-security': 'canary',
    })
    response.end('{"choices":[]}')
  })
  const { headers } = await service.ask('chat')
  expect(headers.get('openai-processing-ms')).toBe('12')
  expect(headers.get('x-dragoman-account')).toBe('openai')
  expect(JSON.stringify([...headers])).not.toContain('canary')
})
