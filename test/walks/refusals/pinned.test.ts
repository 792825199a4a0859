import OpenAI from 'openai-7'
import { expect, test } from 'vitest'

import { defineDialect } from '../../../src/contract/dialect.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import { defineOperation } from '../../../src/contract/operation.ts'
import { type GatewayPlugin, definePlugin } from '../../../src/contract/plugin.ts'
import { bearer } from '../../../src/kit/credential.ts'
import { errorEnvelope } from '../../../src/kit/error-envelope.ts'
import { startSandbox } from '../../../src/sandbox/index.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'

/** Nothing listens there. */
const nowhere = 'http://127.0.0.1:1'

/** A gateway before an account that has made things, and to which no connection can be made any more. */
async function startLost(use: (client: OpenAI, url: string) => Promise<string>) {
  const sandbox = await startSandbox()
  const settings = (id: string, baseUrl: string, priority = 0) => ({
    id,
    provider: 'sandbox',
    baseUrl,
    apiKey: `sandbox-key-${id}`,
    models: ['*'],
    priority,
  })
  const gateway = await createTestGateway({ accounts: [settings('a', sandbox.url)] })
  const client = new OpenAI({ apiKey: gateway.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 })
  const id = await use(client, gateway.url)
  const before = sandbox.requests.length
  gateway.reload({ accounts: [settings('a', nowhere), settings('b', sandbox.url, 1)] })
  return {
    id,
    ask: (path: string, init: { method?: string; body?: object } = {}) =>
      fetch(gateway.url + path, {
        method: init.method ?? 'GET',
        headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
        ...(init.body && { body: JSON.stringify(init.body) }),
      }),
    /** Requests that another account got instead. */
    elsewhere: () => sandbox.requests.length - before,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await sandbox[Symbol.asyncDispose]()
    },
  }
}

const model = 'sandbox/echo'

const aResponse = async ({ responses }: OpenAI) =>
  (await responses.create({ model, input: 'one' })).id
const aConversation = async ({ conversations }: OpenAI) => (await conversations.create({})).id
const aVideo = async ({ videos }: OpenAI) =>
  (await videos.create({ model: 'sandbox/polls=0', prompt: 'a cat' })).id
const aFinishedVideo = async (client: OpenAI) => {
  const id = await aVideo(client)
  while ((await client.videos.retrieve(id)).status !== 'completed');
  return id
}

interface Pinned {
  readonly what: string
  readonly make: (client: OpenAI) => Promise<string>
  readonly path: (id: string) => string
  readonly body?: (id: string) => object
  readonly method?: string
  readonly code: string
}

const pinned: readonly Pinned[] = [
  {
    what: 'continues a response',
    make: aResponse,
    path: () => '/v1/responses',
    body: (id) => ({ model, input: 'two', previous_response_id: id }),
    code: 'previous_response_account_unavailable',
  },
  {
    what: 'continues a response as a stream',
    make: aResponse,
    path: () => '/v1/responses',
    body: (id) => ({ model, input: 'two', previous_response_id: id, stream: true }),
    code: 'previous_response_account_unavailable',
  },
  {
    what: 'retrieves a response',
    make: aResponse,
    path: (id) => `/v1/responses/${id}`,
    code: 'owner_unavailable',
  },
  {
    what: 'deletes a response',
    make: aResponse,
    path: (id) => `/v1/responses/${id}`,
    method: 'DELETE',
    code: 'owner_unavailable',
  },
  {
    what: 'continues a conversation',
    make: aConversation,
    path: () => '/v1/responses',
    body: (id) => ({ model, input: 'two', conversation: id }),
    code: 'owner_unavailable',
  },
  {
    what: 'retrieves a conversation',
    make: aConversation,
    path: (id) => `/v1/conversations/${id}`,
    code: 'owner_unavailable',
  },
  {
    what: 'lists the items of a conversation',
    make: aConversation,
    path: (id) => `/v1/conversations/${id}/items`,
    code: 'owner_unavailable',
  },
  {
    what: 'remixes a video',
    make: aFinishedVideo,
    path: (id) => `/v1/videos/${id}/remix`,
    body: () => ({ prompt: 'a dog' }),
    code: 'owner_unavailable',
  },
  {
    what: 'downloads a video',
    make: aFinishedVideo,
    path: (id) => `/v1/videos/${id}/content`,
    code: 'owner_unavailable',
  },
]

test.each(pinned)(
  'a client that $what learns that its account cannot be reached, and may try again',
  async ({ make, path, body, method, code }) => {
    await using lost = await startLost(make)

    const init = { ...(body && { method: 'POST', body: body(lost.id) }), ...(method && { method }) }
    const response = await lost.ask(path(lost.id), init)

    expect(response.status).toBe(503)
    expect(response.headers.get('x-should-retry')).toBe('true')
    const text = await response.text()
    expect(text).toContain(code)
    expect(text).toContain('no connection to it can be made')
    expect(text).not.toMatch(/127\.0\.0\.1|sandbox-key/)
    expect(lost.elsewhere()).toBe(0)
  },
)

test('the state of a video whose account cannot be reached is the last known one', async () => {
  await using lost = await startLost(aVideo)

  const response = await lost.ask(`/v1/videos/${lost.id}`)

  expect(response.status).toBe(200)
  expect(response.headers.get('x-dragoman-stale')).toBe('true')
})

test('a call that may go elsewhere still does', async () => {
  await using lost = await startLost(aResponse)

  const response = await lost.ask('/v1/responses', {
    method: 'POST',
    body: { model, input: 'hello' },
  })

  expect(response.headers.get('x-dragoman-account')).toBe('b')
})

/** An operation that sends any number of requests to the one account that may serve it. */
function stitching(): GatewayPlugin {
  const stitch = defineOperation({
    id: 'stitch',
    method: 'POST',
    paths: ['/v1/stitch'],
    auth: 'key',
    capability: 'stitch',
    summary: 'Ask',
    understand: () => ({ model: 'm', stream: false, refersTo: [], edits: [], losses: [] }),
    perform: (_exchange, send) => send({ path: '/v1/first' }),
  })
  const dialect = defineDialect({
    id: 'stitches',
    credential: bearer,
    error: errorEnvelope,
    upstream: { base: 'bare', providers: { aviary: {} }, headers: () => ({}) },
    operations: [stitch],
  })
  const unavailable = (reason: string) => new GatewayError('owner_unavailable', reason)
  return definePlugin({
    name: 'stitching',
    dialects: [dialect],
    onCandidates: () => ({ pinnedTo: 'a', by: 'tenants', unavailable }),
  })
}

test('an operation of several requests whose account cannot be reached says so too', async () => {
  await using gateway = await createTestGateway({
    plugins: [stitching()],
    accounts: [{ id: 'a', provider: 'aviary', baseUrl: nowhere, models: ['m'] }],
  })

  const response = await fetch(`${gateway.url}/v1/stitch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: '{}',
  })

  expect(response.status).toBe(503)
  expect(response.headers.get('x-should-retry')).toBe('true')
  expect(await response.text()).toContain('no connection to it can be made')
})
