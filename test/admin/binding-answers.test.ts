import { expect, test } from 'vitest'

import {
  type Binding,
  bindingKeyOf,
  bindingsNamespace,
  ownedMs,
} from '../../src/stores/bindings.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { breakable } from '../../src/testing/breakable-store.ts'
import type { AdminGateway } from './admin-gateway.ts'
import { type Failed, respond, startBound } from './bound.ts'
import { grounds } from './grounds.ts'
import { bearerOf } from './listing.ts'

interface Answered {
  readonly use: 'CHAIN' | 'READ' | 'NAME'
  readonly dialect: string
  readonly status: number
  readonly code: string | null
  readonly message: string | null
  readonly accountId: string | null
}

const ask = `query ($keyId: ID!, $id: String!, $kind: String, $model: String) {
  binding(keyId: $keyId, id: $id, kind: $kind, model: $model) {
    answers { use dialect status code message accountId } } }`

/** What the look-up says that a client would be answered, which is what a client is answered. */
async function answersOf(gateway: AdminGateway, key: string, id: string, model: string) {
  const asked = await gateway.graph<{ binding: { answers: Answered[] } }>(ask, {
    keyId: key,
    id,
    model,
  })
  const [chain, read] = asked.data.binding.answers
  const chained = await respond(gateway, key, model, { previous_response_id: id })
  const found = await fetch(`${gateway.url}/v1/responses/${id}`, {
    headers: bearerOf(key),
  })
  const reply = (await found.json()) as Failed
  expect(chain).toMatchObject({ use: 'CHAIN', ...failureOf(chained) })
  expect(read).toMatchObject({ use: 'READ', ...failureOf({ ...reply, status: found.status }) })
  return [chain, read].map((one) => [one?.status, one?.code, one?.accountId])
}

function failureOf({ status, error }: Failed & { readonly status: number }) {
  const code = error?.details?.[0]?.code ?? error?.code ?? null
  return { status, code, message: error?.message ?? null }
}

test('a look-up says what a client of the id is answered now', async () => {
  const clock = { now: Date.now() }
  const store = breakable(openMemoryStore())
  await using gateway = await startBound(store, () => clock.now)
  const { id } = await respond(gateway, 'mine', 'sandbox/whoami')
  const stored = await respond(gateway, 'mine', 'sandbox/words=3')
  const served = [200, null, 'native']
  const unknown = [
    [400, 'previous_response_not_found', null],
    [404, 'not_found', null],
  ]
  expect(await answersOf(gateway, 'mine', id, 'sandbox/whoami')).toEqual([served, served])
  expect(await answersOf(gateway, 'mine', stored.id, 'sandbox/words=3')).toEqual([
    [200, null, 'chat'],
    [200, null, null],
  ])
  expect(await answersOf(gateway, 'other', id, 'sandbox/whoami')).toEqual(unknown)
  expect(await answersOf(gateway, 'mine', id, 'sandbox/words=3')).toEqual([unknown[0], served])
  store.broken.reads = true
  expect(await answersOf(gateway, 'mine', id, 'sandbox/whoami')).toEqual([
    [503, 'previous_response_lookup_unavailable', null],
    [503, 'lookup_unavailable', null],
  ])
  store.broken.reads = false
  clock.now += 61 * 60_000
  expect(await answersOf(gateway, 'mine', id, 'sandbox/whoami')).toEqual([unknown[0], served])
  const young = await respond(gateway, 'mine', 'sandbox/whoami')
  await gateway.graph(
    'mutation { disableAccount(input: {id: "native", reason: "r"}) { __typename } }',
  )
  await expect
    .poll(
      async () => (await gateway.graph<Enabled>('{ account(id: "native") { enabled } }')).data,
      {
        timeout: 10_000,
      },
    )
    .toEqual({ account: { enabled: false } })
  expect(await answersOf(gateway, 'mine', young.id, 'sandbox/whoami')).toEqual([
    [503, 'previous_response_account_unavailable', null],
    [503, 'owner_unavailable', null],
  ])
}, 20_000)

interface Enabled {
  readonly account: { readonly enabled: boolean }
}

test('a look-up sends nothing to an account and changes no binding', async () => {
  await using opened = await grounds[0]!.open()
  await using gateway = await startBound(opened.store)
  const response = await fetch(`${gateway.url}/v1/conversations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer secret-mine' },
    body: '{}',
  })
  const { id } = (await response.json()) as { id: string }
  const before = gateway.sandbox.requests.length
  const key = bindingKeyOf({ kind: 'conversation', keyId: 'mine', id })
  const record = await opened.store.records(bindingsNamespace).get(key)
  const { data } = await gateway.graph<{ binding: object }>(ask, { keyId: 'mine', id })
  expect(data.binding).toMatchObject({
    answers: [
      { use: 'CHAIN', status: 200 },
      { use: 'READ', status: 200 },
    ],
  })
  expect(gateway.sandbox.requests).toHaveLength(before)
  expect(await opened.store.records(bindingsNamespace).get(key)).toEqual(record)
})

/** How a client refers to an id: the path, and the body but for its model. */
interface Way {
  readonly use: Answered['use']
  readonly dialect: string
  readonly path: string
  readonly body?: (id: string) => object
}

const named = (dialect: string, path: string, body: (id: string) => object): Way => {
  return { use: 'NAME', dialect, path, body }
}

const hello = { role: 'user', content: 'Hello' }

/** Every kind of binding of the shipped dialects, with the account of its kind. */
const kinds: Record<string, { readonly account: string; readonly ways: readonly Way[] }> = {
  response: {
    account: 'native',
    ways: [
      {
        use: 'CHAIN',
        dialect: 'responses',
        path: '/v1/responses',
        body: (id) => ({ input: 'Hello', previous_response_id: id }),
      },
      { use: 'READ', dialect: 'responses', path: '/v1/responses/{id}' },
    ],
  },
  conversation: {
    account: 'native',
    ways: [
      {
        use: 'CHAIN',
        dialect: 'responses',
        path: '/v1/responses',
        body: (id) => ({ input: 'Hello', conversation: id }),
      },
      { use: 'READ', dialect: 'responses', path: '/v1/conversations/{id}' },
    ],
  },
  item: {
    account: 'native',
    ways: [
      named('responses', '/v1/responses', (id) => ({ input: [{ type: 'item_reference', id }] })),
    ],
  },
  container: {
    account: 'native',
    ways: [
      named('responses', '/v1/responses', (id) => {
        return { input: 'Hello', tools: [{ type: 'code_interpreter', container: id }] }
      }),
      named('messages', '/v1/messages', (id) => {
        return { messages: [hello], max_tokens: 16, container: id }
      }),
    ],
  },
  audio: {
    account: 'chat',
    ways: [
      named('chat', '/v1/chat/completions', (id) => {
        return { messages: [hello, { role: 'assistant', audio: { id } }, hello] }
      }),
    ],
  },
}

/** Sends what a client sends. `isAsked`: whether an account was. */
async function call(
  { url, sandbox }: Awaited<ReturnType<typeof startBound>>,
  key: string,
  { path, body }: Way,
  { id, model }: { readonly id: string; readonly model: string },
) {
  const before = sandbox.requests.length
  const response = await fetch(url + path.replace('{id}', id), {
    headers: {
      ...bearerOf(key),
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
    },
    ...(body && { method: 'POST', body: JSON.stringify({ model, ...body(id) }) }),
  })
  const reply = (await response.json()) as Failed
  return {
    status: response.status,
    message: reply.error?.message,
    isAsked: sandbox.requests.length > before,
  }
}

test.each(Object.entries(kinds))(
  'a look-up of the kind %s says it for each way to refer to it',
  async (kind, { account, ways }) => {
    const store = openMemoryStore()
    await using gateway = await startBound(store)
    const model = account === 'chat' ? 'sandbox/words=3' : 'sandbox/whoami'
    const expiresAt = Date.now() + ownedMs
    const bind = (id: string, owner: string) =>
      store.records<Binding>(bindingsNamespace).set(bindingKeyOf({ kind, keyId: 'mine', id }), {
        account: owner,
        model,
        expiresAt,
        chainUntil: expiresAt,
      })
    await bind('id_mine', account)
    await bind('id_gone', 'gone')
    const statuses = new Set<number>()
    for (const [key, id] of [
      ['mine', 'id_mine'],
      ['mine', 'id_gone'],
      ['other', 'id_mine'],
      ['mine', 'id_none'],
    ] as const) {
      for (const asked of [model, undefined]) {
        const before = gateway.sandbox.requests.length
        const { data } = await gateway.graph<{ binding: { answers: Answered[] } }>(ask, {
          keyId: key,
          id,
          kind,
          model: asked,
        })
        expect(gateway.sandbox.requests).toHaveLength(before)
        const { answers } = data.binding
        expect(answers.map(({ use, dialect }) => [use, dialect])).toEqual(
          ways.map(({ use, dialect }) => [use, dialect]),
        )
        for (const [index, way] of ways.entries()) {
          const answer = answers[index]!
          const real = await call(gateway, key, way, { id, model })
          const about = [key, id, way.use, way.dialect]
          expect([...about, answer.accountId !== null]).toEqual([...about, real.isAsked])
          statuses.add(answer.status)
          if (real.isAsked)
            expect([...about, answer.status, answer.accountId]).toEqual([...about, 200, account])
          else
            expect([...about, answer.status, answer.message]).toEqual([
              ...about,
              real.status,
              real.message,
            ])
        }
      }
    }
    // One is served, one has lost its account, and others are unknown.
    expect([...statuses]).toEqual(expect.arrayContaining([200, 503]))
    expect(statuses.size).toBeGreaterThan(2)
  },
)
