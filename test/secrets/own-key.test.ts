import { expect, test } from 'vitest'

import { openMemoryStore } from '../../src/stores/memory.ts'
import { breakable } from '../../src/testing/breakable-store.ts'
import { startFakeAccount } from '../../src/testing/fake-account.ts'
import { until } from '../../src/testing/until.ts'
import { type AdminGateway, type Page, nodesOf, startAdminGateway } from '../admin/admin-gateway.ts'
import { dialects } from '../requests/dialects.ts'

/** A key with a character that a path has percent-encoded. */
const key = 'dgm_canary/key-0123456789'
const upstreamKey = 'up-canary-4f1c9b2e'
const headerSecret = 'header-canary-91fe'

/** A gateway with one account, whose streams have the account's own secrets as ids. */
async function startStage() {
  await using starting = new AsyncDisposableStack()
  const upstream = starting.use(
    await startFakeAccount((response, { headers }) => {
      const chunk = {
        id: `${headers.authorization} ${String(headers['x-tenant'])}`,
        object: 'chat.completion.chunk',
        created: 1,
        model: 'm',
        choices: [{ index: 0, delta: { content: 'hi' }, finish_reason: 'stop' }],
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`)
    }),
  )
  const gateway = starting.use(
    await startAdminGateway({
      keys: [{ id: 'team', secret: key }],
      accounts: [
        {
          id: 'a',
          provider: 'openai-compatible',
          speaks: ['chat'],
          baseUrl: `${upstream.url}/v1`,
          apiKey: upstreamKey,
          headers: { 'x-tenant': 'env:TENANT' },
          models: ['*'],
        },
      ],
      env: { TENANT: headerSecret },
    }),
  )
  const started = starting.move()
  return { gateway, [Symbol.asyncDispose]: () => started.disposeAsync() }
}

/** Sends a request with the key, and resolves with its line in the access log. */
async function lineOf(
  gateway: AdminGateway,
  {
    path = '/v1/chat/completions',
    body = {},
    agent = 'curl',
    headers = { authorization: `Bearer ${key}` },
  }: {
    readonly path?: string
    readonly body?: object
    readonly agent?: string
    readonly headers?: Readonly<Record<string, string>>
  },
) {
  const before = gateway.accessLog.length
  const reply = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'user-agent': agent },
    body: JSON.stringify({ ...dialects.chat.request, ...body }),
  })
  await reply.text()
  await until(async () => {
    await gateway.flush()
    return gateway.accessLog.length > before
  })
  return gateway.accessLog.at(-1)
}

test('a key in the wrong place of its own request is in no line, and no viewer reads it', async () => {
  await using stage = await startStage()
  const { gateway } = stage
  const encoded = encodeURIComponent(key)
  expect(await lineOf(gateway, { body: { model: `m-${key}` } })).toMatchObject({
    model_requested: 'm-[secret]',
    model_resolved: 'm-[secret]',
  })
  expect(await lineOf(gateway, { agent: `curl ${key}` })).toMatchObject({
    user_agent: 'curl [secret]',
  })
  expect(await lineOf(gateway, { path: `/v1/responses/${encoded}/cancel` })).toMatchObject({
    path: '/v1/responses/[secret]/cancel',
  })
  const chained = { input: 'hi', previous_response_id: key }
  expect(await lineOf(gateway, { path: '/v1/responses', body: chained })).toMatchObject({
    prev_response_id: '[secret]',
  })
  // No caller is known: the credential is none of a key, or the path none of the gateway.
  const wrong = `/v1/responses/wrong-canary`
  const headers = { authorization: 'Bearer wrong-canary' }
  expect(await lineOf(gateway, { path: wrong, headers })).toMatchObject({
    path: '/v1/responses/[secret]',
  })

  expect(gateway.written()).not.toContain(key)
  expect(gateway.written()).not.toContain(encoded)
  const query = '{ recent(first: 50) { edges { node { model } } } }'
  const { data } = await gateway.graph<{ recent: Page<{ model: string | null }> }>(
    query,
    {},
    'viewer',
  )
  const models = nodesOf(data.recent).map(({ model }) => model)
  expect(models).toContain('m-[secret]')
  expect(JSON.stringify(models)).not.toContain(key)
})

function basic(text: string): string {
  return `Basic ${Buffer.from(text).toString('base64')}`
}

/** So many credentials in a query, as anyone may send them. */
function keysOf(count: number): string {
  return Array.from({ length: count }, (_, at) => `key=zzz${at}`).join('&')
}

test.each<[carrier: string, headers: Readonly<Record<string, string>>, query?: string]>([
  ['a bearer', { authorization: `Bearer ${key}` }],
  ['a bearer without its scheme', { authorization: key }],
  ['a password', { authorization: basic(`me:${key}`) }],
  ['a name', { authorization: basic(`${key}:x`) }],
  ['a name alone', { authorization: basic(`${key}:`) }],
  ['the first of two bearers', { authorization: `Bearer ${key}, Bearer another` }],
  ['the last of two bearers', { authorization: `Bearer another, Bearer ${key}` }],
  ['proxy-authorization', { 'proxy-authorization': `Bearer ${key}` }],
  ['x-api-key', { 'x-api-key': key }],
  ['two headers of one name', { 'x-api-key': `another, ${key}` }],
  ['a bearer in quotes', { authorization: `Bearer "${key}"` }],
  ['a token by name', { authorization: `Token token="${key}"` }],
  ['x-api-key with a scheme', { 'x-api-key': `Bearer ${key}` }],
  ['a bearer with its scheme twice', { authorization: `Bearer Bearer ${key}` }],
  ['a bearer in single quotes', { authorization: `Bearer '${key}'` }],
  ['a scheme with a colon', { authorization: `Bearer:${key}` }],
  ['anthropic-api-key', { 'anthropic-api-key': key }],
  ['ocp-apim-subscription-key', { 'ocp-apim-subscription-key': key }],
  ['a parameter with a scheme', {}, `?key=${encodeURIComponent(`Bearer ${key}`)}`],
  ['api-key', { 'api-key': key }],
  ['x-goog-api-key', { 'x-goog-api-key': key }],
  ['a query', {}, `?key=${encodeURIComponent(key)}`],
  ['a parameter of an encoded name', {}, `?k%65y=${encodeURIComponent(key)}`],
  ['api_key', {}, `?api_key=${encodeURIComponent(key)}`],
  ['access_token', {}, `?a=b&Access_Token=${encodeURIComponent(key)}`],
  ['the last of eight', {}, `?${keysOf(7)}&key=${encodeURIComponent(key)}`],
  ['a second carrier', { authorization: 'Bearer another', 'x-api-key': key }],
])(
  'a key that comes as %s is in no line of a path of no dialect',
  async (_, headers, query = '') => {
    await using stage = await startStage()
    const { gateway } = stage
    const encoded = encodeURIComponent(key)
    for (const place of ['/nowhere', '/v1/nowhere', '/livez']) {
      expect(await lineOf(gateway, { path: `${place}/${encoded}${query}`, headers })).toMatchObject(
        {
          status: 404,
          path: `${place}/[secret]`,
        },
      )
      const mixed = `${place}/${key}/${encodeURIComponent(encoded)}${query}`
      expect(await lineOf(gateway, { path: mixed, agent: `curl ${key}`, headers })).toMatchObject({
        path: `${place}/[secret]/[secret]`,
        user_agent: 'curl [secret]',
      })
    }
    expect(gateway.written()).not.toContain('canary')
  },
)

test('a request with more credentials than any client has shows none of its texts', async () => {
  await using stage = await startStage()
  const { gateway } = stage
  for (const place of ['/nowhere', '/v1/responses', '/v1beta/models']) {
    const path = `${place}/${key}?${keysOf(800)}&key=${encodeURIComponent(key)}`
    const line = await lineOf(gateway, { path, agent: `curl ${key}`, headers: {} })
    expect(line).toMatchObject({ method: 'POST', path: '[secret]', user_agent: '[secret]' })
    const long = `${place}/${'x'.repeat(9_000)}/${key}?${keysOf(600)}`
    expect(await lineOf(gateway, { path: long, headers: {} })).toMatchObject({
      path: '[secret]...',
    })
  }
  const few = `/nowhere/here?${keysOf(8)}&${keysOf(8)}&key=1&key=`
  expect(await lineOf(gateway, { path: few, headers: {} })).toMatchObject({ path: '/nowhere/here' })
  expect(gateway.written()).not.toContain('canary')
})

test('the longer of two keys that begin alike is hidden to its end', async () => {
  await using stage = await startStage()
  const headers = { authorization: 'Bearer dgm_', 'x-api-key': key }
  const line = await lineOf(stage.gateway, { path: '/nowhere', agent: `curl ${key}`, headers })
  expect(line).toMatchObject({ user_agent: 'curl [secret]' })
})

test('long keys that begin alike, as tokens do, are hidden to their ends', async () => {
  await using stage = await startStage()
  const { gateway } = stage
  const [one, other, third] = ['one', 'other', 'third'].map(
    (end) => `${'eyJ'.repeat(40)}.canary-${end}.sign`,
  )
  const headers = { authorization: `Bearer ${one}`, 'x-api-key': `${other}` }
  const pathOf = async (path: string) => (await lineOf(gateway, { path, headers }))?.['path']
  expect(await pathOf(`/nowhere/${one}/${other}/${one}/end`)).toBe(
    '/nowhere/[secret]/[secret]/[secret]/end',
  )
  expect(await pathOf(`/nowhere/${one}/${third}/${one}/end`)).toBe('/nowhere/[secret]/[secret]')
  expect(gateway.written()).not.toContain('canary')
})

test('a key at the place of a long text where the reading ends is in no line', async () => {
  await using stage = await startStage()
  const { gateway } = stage
  const encoded = key.replaceAll(/[^]/g, (one) => `%252525${one.charCodeAt(0).toString(16)}`)
  for (const before of ['/', `/${'x'.repeat(120)}`]) {
    const path = `${before}${encoded.repeat(50)}`
    expect(await lineOf(gateway, { path })).toMatchObject({ path: '[secret]...' })
  }
  expect(gateway.written()).not.toContain('dgm_')
})

test('an account that answers with its own secrets puts none of them in a line', async () => {
  await using stage = await startStage()
  const { gateway } = stage
  expect(await lineOf(gateway, { body: { stream: true } })).toMatchObject({
    status: 200,
    response_id: 'Bearer [secret] [secret]',
  })
  expect(gateway.written()).not.toMatch(/up-canary|header-canary/)
})

test('a response whose id is a secret of its account is bound later, and no line has the secret', async () => {
  await using upstream = await startFakeAccount((response, { headers }) => {
    const body = { ...aResponse, id: `resp_${String(headers.authorization)}` }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const [index, type] of ['response.created', 'response.completed'].entries()) {
      const event = { type, sequence_number: index, response: body }
      response.write(`event: ${type}\ndata: ${JSON.stringify(event)}\n\n`)
    }
    response.end()
  })
  const store = breakable(openMemoryStore())
  const baseUrl = `${upstream.url}/v1`
  const account = { id: 'a', provider: 'openai', baseUrl, apiKey: upstreamKey, models: ['*'] }
  const log: object[] = []
  {
    await using gateway = await startAdminGateway({
      store,
      keys: [{ id: 'team', secret: key }],
      accounts: [account],
    })
    store.broken.writes = true
    const reply = await fetch(`${gateway.url}/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', input: 'hi', stream: true }),
    })
    expect(await reply.text()).toContain('response.completed')
    await gateway[Symbol.asyncDispose]()
    log.push(...gateway.log)
  }
  const about = { kind: 'response', id: 'resp_Bearer [secret]' }
  expect(log).toContainEqual(
    expect.objectContaining({ msg: 'binding not written; the write is retried', ...about }),
  )
  expect(log).toContainEqual(
    expect.objectContaining({
      msg: 'binding lost: calls that refer to the resource will fail',
      ...about,
    }),
  )
  expect(JSON.stringify(log)).not.toContain(upstreamKey)
})

/** A response as the account's API has it, but for its id. */
const aResponse = {
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'm',
  output: [],
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
}

test('a path, however long, leaves a short line', async () => {
  await using stage = await startStage()
  const line = await lineOf(stage.gateway, { path: `/${'x'.repeat(15_000)}` })
  expect(line).toMatchObject({ path: `/${'x'.repeat(511)}...` })
  expect(JSON.stringify(line).length).toBeLessThan(2_000)
})
