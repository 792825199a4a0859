import { describe, expect, test } from 'vitest'

import { answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'
import { accountKey, passthroughStage } from './stage.ts'

const path = '/v1/vector_stores'

test('no path passes that is not named', async () => {
  await using account = await startFakeAccount(answerJson({}))
  await using gateway = await createTestGateway({
    accounts: [{ id: 'a', provider: 'openai', baseUrl: `${account.url}/v1`, models: ['*'] }],
  })
  const headers = { authorization: `Bearer ${gateway.key}` }
  expect((await fetch(gateway.url + path, { headers })).status).toBe(404)
  expect(account.requests).toEqual([])
})

test('bytes, type and query pass as they are, with the credential of the account', async () => {
  await using stage = await passthroughStage()
  const body = '{ "name" : "x",\n "model":1, "model": [1e2] }'
  const response = await stage.ask(`${path}?limit=2&after=a%2Fb&order`, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8', 'openai-beta': 'assistants=v2' },
    body,
  })
  expect([response.status, await response.json()]).toEqual([200, { id: 'vs_1' }])
  expect(response.headers.get('x-dragoman-account')).toBe('a')
  const [request] = stage.account.requests
  expect(request).toMatchObject({
    method: 'POST',
    url: `${path}?limit=2&after=a%2Fb&order`,
    headers: {
      authorization: `Bearer ${accountKey}`,
      'content-type': 'application/json; charset=utf-8',
      'openai-beta': 'assistants=v2',
    },
  })
  expect(String(request?.body)).toBe(body)
  const [line] = await stage.gateway.logged(1)
  expect(line).toMatchObject({
    route: 'passthrough.v1.vector_stores.post',
    path,
    account: 'a',
    status: 200,
    bytes_in: body.length,
    bytes_out: 13,
  })
})

test('the tokens that a JSON reply reports are counted', async () => {
  const usage = { prompt_tokens: 7, total_tokens: 7 }
  await using stage = await passthroughStage(answerJson({ usage }))
  await (await stage.ask(path)).text()
  const [line] = await stage.gateway.logged(1)
  expect(line).toMatchObject({ input_tokens: 7 })
  expect(line).not.toHaveProperty('output_tokens')
})

test('an account without a body of its own kind gets a form as it is', async () => {
  await using stage = await passthroughStage()
  const form = new FormData()
  form.append('file', new File(['bytes'], 'a.txt'))
  await stage.ask(`${path}/vs_1/files`, { method: 'PUT', body: form })
  const [request] = stage.account.requests
  expect([request?.method, String(request?.body)]).toEqual([
    'PUT',
    expect.stringContaining('a.txt'),
  ])
})

test('no header of the connection, no credential and no unknown header leaves', async () => {
  await using stage = await passthroughStage()
  await stage.raw(`GET ${path} HTTP/1.1`, [
    'x-api-key: test-secret',
    'x-goog-api-key: test-secret',
    'cookie: session=1',
    'proxy-authorization: Basic x',
    'x-forwarded-for: 10.0.0.1',
    'openai-organization: org-of-the-caller',
    'x-custom: 1',
    'te: trailers',
    'traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  ])
  const { headers } = stage.account.requests[0]!
  expect(Object.keys(headers).toSorted()).toEqual([
    'accept',
    'accept-encoding',
    'authorization',
    'connection',
    'host',
  ])
  expect(JSON.stringify(headers)).not.toContain('test-secret')
})

test.each([
  ['a parameter of the key', 'key=test-secret&limit=1', 'limit=1'],
  ['one that looks like a key', 'api_key=x&access_token=y&sig=z&limit=1', 'limit=1'],
  ['the key in another parameter', 'after=test-secret&limit=1', 'limit=1'],
  ['the key in other letters', 'after=test%2Dsecret&limit=1', 'limit=1'],
  ['the key in letters of letters', 'after=test%252Dsecret%25&limit=1', 'limit=1'],
  ['the key in a name', 'xtest-secrety&limit=1', 'limit=1'],
  ['another method', '_method=DELETE&limit=1', 'limit=1'],
  ['the token of a page', 'page_token=x&alt=sse', 'page_token=x&alt=sse'],
])('of a query, %s is safe', async (_, query, passed) => {
  await using stage = await passthroughStage()
  await stage.ask(`${path}?${query}`)
  expect(stage.account.requests[0]?.url).toBe(`${path}?${passed}`)
})

describe('a path that leads elsewhere reaches no account', () => {
  test.each([
    `${path}/../files`,
    `${path}/..`,
    `${path}/./x`,
    `${path}/%2e%2e/files`,
    `${path}/%252e%252e/files`,
    `${path}/..%2ffiles`,
    `${path}/a%2Fb`,
    `${path}/a%5cb`,
    `${path}/a;b=1`,
    `${path}//x`,
    `${path}/`,
    `${path}/%00`,
    `${path}/http://elsewhere.example`,
    `${path}_other`,
    '/v1/vector%5Fstores/x',
    '/v1/x/../vector_stores/y',
    'http://elsewhere.example/v1/files/../vector_stores/y',
    `${path}/test-secret`,
    `${path}/test%2Dsecret`,
    `${path}/test%252Dsecret`,
  ])('%s', async (target) => {
    await using stage = await passthroughStage()
    const answer = await stage.raw(`GET ${target} HTTP/1.1`)
    expect(answer).toMatch(/^HTTP\/1\.1 40[04] /)
    expect(stage.account.requests).toEqual([])
  })
})

test('an address in place of a path is that of the account', async () => {
  await using stage = await passthroughStage()
  await stage.raw(`GET http://elsewhere.example${path}/x HTTP/1.1`)
  expect(stage.account.requests[0]?.url).toBe(`${path}/x`)
})

test('a path without `/*` has no others below it', async () => {
  await using stage = await passthroughStage(undefined, { route: { path } })
  expect((await stage.ask(path)).status).toBe(200)
  expect((await stage.ask(`${path}/vs_1`)).status).toBe(404)
  expect(stage.account.requests).toHaveLength(1)
})

test('other methods than those of the path are not allowed', async () => {
  await using stage = await passthroughStage(undefined, { route: { methods: ['GET', 'PATCH'] } })
  const refused = await stage.ask(path, { method: 'POST', body: '{}' })
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, PATCH'])
  expect((await stage.ask(path, { method: 'PATCH', body: '{}' })).status).toBe(200)
})

test.each([
  ['DELETE', '/v1/chat/completions', 405],
  ['PATCH', '/v1/responses/resp_1', 405],
  ['POST', '/v1/models', 405],
  ['GET', '/v1/videos', 200],
  ['POST', '/v1/images/variations', 404],
  ['GET', '/v1/images/variations', 404],
  // Accounts decode paths, and some ignore case: these would be files of other keys, and calls that nothing bounds.
  ['GET', '/v1/fil%65s/file-1', 404],
  ['GET', '/v1/fil%2565s/file-1/content', 404],
  ['DELETE', '/v1/Files/file-1', 404],
  ['GET', '/v1/fil%65s/file-%25zz', 404],
  ['POST', '/v1/ch%61t/completions', 404],
  ['GET', '/v1/respons%65s/resp_1/input_items', 404],
  ['GET', '/v1/ﬁles/file-1', 404],
  ['GET', '/v1/files%20/file-1', 404],
  ['GET', '/v1/files./file-1', 404],
  // Its own ids may have any form.
  ['GET', '/v1/files/a1b2', 404],
  ['GET', '/v1/files/a1b2/content', 404],
  ['POST', '/v1/batches/a1b2/cancel', 404],
  ['GET', '/v1/messages/batches/a1b2/results', 404],
  // An account is asked at the version of its own base URL.
  ['GET', '/v2/files/file-1', 404],
  ['POST', '/v2/chat/completions', 404],
])('a path of a dialect stays the dialect’s: %s %s', async (method, own, status) => {
  const path = own.replace(/^(\/v\d)\/.*/, '$1/*')
  await using stage = await passthroughStage(undefined, { route: { path } })
  const body = method === 'GET' ? null : '{}'
  expect((await stage.ask(own, { method, body })).status).toBe(status)
  expect(stage.account.requests).toEqual([])
})

describe('keys', () => {
  const keys = [
    { id: 'open', secret: 'secret-of-open' },
    { id: 'all', secret: 'secret-of-all', models: ['*'] },
    { id: 'bound', secret: 'secret-of-bound', models: ['gpt-*'] },
    { id: 'member', secret: 'secret-of-member', team: 'small' },
  ]
  const teams = [{ id: 'small', models: ['gpt-*'] }]

  test.each([
    ['a key without models', 'open', undefined, 200],
    ['a key with all models', 'all', undefined, 200],
    ['a key that models bind', 'bound', undefined, 403],
    ['a key whose team models bind', 'member', undefined, 403],
    ['a bound key that is named', 'bound', ['bound'], 200],
    ['a key that is not named', 'open', ['bound'], 403],
  ])('%s', async (_, id, named, status) => {
    await using stage = await passthroughStage(undefined, {
      keys,
      teams,
      route: named ? { keys: named } : {},
    })
    const key = `secret-of-${id}`
    const response = await stage.ask(path, { key, method: 'POST', body: 'x'.repeat(100_000) })
    expect(response.status).toBe(status)
    expect(stage.account.requests).toHaveLength(status === 200 ? 1 : 0)
  })

  test('a request without a key, or with a wrong one, is refused', async () => {
    await using stage = await passthroughStage()
    expect((await fetch(stage.gateway.url + path)).status).toBe(401)
    expect((await stage.ask(path, { key: 'wrong' })).status).toBe(401)
    expect(stage.account.requests).toEqual([])
  })
})

describe('limits', () => {
  const withQuota = (quota: object, account: object = {}) =>
    passthroughStage(undefined, {
      account,
      keys: [{ id: 'test', secret: 'test-secret', quotas: [quota as never] }],
    })

  test('calls count', async () => {
    await using stage = await withQuota({ kind: 'requests', amount: 1, window: '1h' })
    expect((await stage.ask(path)).status).toBe(200)
    expect((await stage.ask(path)).status).toBe(429)
    expect(stage.account.requests).toHaveLength(1)
  })

  test('a budget cannot count what has no price', async () => {
    await using stage = await withQuota({ kind: 'cost', amount: 1, window: 'day' })
    const response = await stage.ask(path)
    expect(response.status).toBe(403)
    expect(await response.text()).toContain('no price')
    expect(stage.account.requests).toEqual([])
  })

  test('an account that costs nothing is within any budget', async () => {
    const quota = { kind: 'cost', amount: 1, window: 'day' }
    await using stage = await withQuota(quota, { prices: 'free' })
    expect((await stage.ask(path)).status).toBe(200)
  })
})
