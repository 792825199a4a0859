import { describe, expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import {
  type Binding,
  bindingKeyOf,
  bindingsNamespace,
  ownedMs,
} from '../../src/stores/bindings.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import type { Store } from '../../src/stores/store.ts'
import { breakable } from '../../src/testing/breakable-store.ts'
import {
  type AdminGateway,
  type GraphAnswer,
  type Page,
  nodesOf,
  startAdminGateway,
} from './admin-gateway.ts'
import { grounds } from './grounds.ts'

interface Shown {
  readonly recordId: string | null
  readonly id: string | null
  readonly kind: string | null
  readonly keyId: string | null
  readonly accountId: string | null
  readonly isStored: boolean
  readonly chainUntil: string | null
  readonly expiresAt: string
}

interface Found {
  readonly state: string
  readonly reason: string | null
  readonly binding: Shown | null
}

const fields = 'recordId id kind keyId accountId model isStored chainUntil expiresAt createdAt'

const list = `query ($first: Int, $after: String, $filter: BindingFilter) {
  bindings(first: $first, after: $after, filter: $filter) {
    edges { cursor node { ${fields} } } pageInfo { hasNextPage endCursor } } }`

const look = `query ($keyId: ID!, $id: String!, $kind: String) {
  binding(keyId: $keyId, id: $id, kind: $kind) { state reason binding { ${fields} } } }`

const forget = `mutation ($keyId: ID!, $id: String!, $kind: String!) {
  forgetBinding(input: {keyId: $keyId, id: $id, kind: $kind, reason: "asked for"}) {
    __typename ... on ForgetBindingSuccess { id } } }`

const keys = ['mine', 'other'].map((id) => ({ id, secret: `secret-${id}` }))

/** `native` keeps its responses; for `chat` the gateway stores them. */
async function start(store: Store, now: () => number = Date.now) {
  const sandbox = await startSandbox()
  const account = { provider: 'sandbox', baseUrl: sandbox.url } as const
  const gateway = await startAdminGateway({
    store,
    keys,
    now,
    accounts: [
      {
        ...account,
        id: 'native',
        apiKey: 'sandbox-key-a',
        models: ['sandbox/whoami'],
        speaks: ['responses'],
      },
      {
        ...account,
        id: 'chat',
        apiKey: 'sandbox-key-b',
        models: ['sandbox/words=3'],
        speaks: ['chat'],
      },
    ],
  })
  return {
    ...gateway,
    sandbox,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await sandbox[Symbol.asyncDispose]()
    },
  }
}

async function respond({ url }: AdminGateway, key: string, model: string, more = {}) {
  const response = await fetch(`${url}/v1/responses`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer secret-${key}` },
    body: JSON.stringify({ model, input: 'content-canary', ...more }),
  })
  const body = (await response.json()) as { id: string } & Failed
  return { ...body, status: response.status }
}

/** All nodes of the list, page by page. */
async function listAll(gateway: AdminGateway, filter = {}, first = 2): Promise<Shown[]> {
  const nodes: Shown[] = []
  let after: string | null = null
  for (;;) {
    const { data, errors }: Answer = await gateway.graph(list, { first, after, filter })
    // A busy machine may exceed the deadline of the store.
    if (errors[0]?.extensions?.code === 'STORE_UNAVAILABLE') continue
    expect(errors).toEqual([])
    nodes.push(...nodesOf(data.bindings))
    if (!data.bindings.pageInfo.hasNextPage) return nodes
    after = data.bindings.pageInfo.endCursor
  }
}

type Answer = GraphAnswer<{ bindings: Page<Shown> }>

describe.each(grounds)('on $name', ({ open }) => {
  test('the bindings of clients are listed by key, account, kind and age, without content', async () => {
    await using opened = await open()
    await using gateway = await start(opened.store)
    const before = new Date().toISOString()
    const native = await respond(gateway, 'mine', 'sandbox/whoami')
    const stored = await respond(gateway, 'mine', 'sandbox/words=3')
    const other = await respond(gateway, 'other', 'sandbox/whoami')
    const idsOf = async (filter: object) =>
      (await listAll(gateway, filter)).filter(({ kind }) => kind === 'response').map(({ id }) => id)
    const all = await listAll(gateway)
    expect(JSON.stringify(all)).not.toContain('canary')
    expect(all.find(({ id }) => id === native.id)).toMatchObject({
      kind: 'response',
      keyId: 'mine',
      accountId: 'native',
      model: 'sandbox/whoami',
      isStored: false,
      chainUntil: expect.stringMatching(/^20/) as string,
    })
    expect(all.find(({ id }) => id === stored.id)).toMatchObject({
      accountId: 'chat',
      isStored: true,
    })
    expect(await idsOf({ keyId: 'other' })).toEqual([other.id])
    expect(new Set(await idsOf({ keyId: 'mine', kind: 'response' }))).toEqual(
      new Set([native.id, stored.id]),
    )
    expect(await idsOf({ accountId: 'chat' })).toEqual([stored.id])
    expect(await idsOf({ kind: 'conversation' })).toEqual([])
    expect(await idsOf({ createdBefore: before })).toEqual([])
    expect(await idsOf({ createdAfter: before })).toHaveLength(3)
    expect(await idsOf({ keyId: 'min' })).toEqual([])
  })

  test('a page examines a bounded number of records, and a walk finds all of them once', async () => {
    await using opened = await open()
    await using gateway = await startAdminGateway({ store: opened.store })
    const ids = Array.from({ length: 5_000 }, (_, index) => `resp_${index}`)
    await seed(opened.store, ids)
    const { data }: Answer = await gateway.graph(list, {
      first: 5,
      filter: { accountId: 'nobody' },
    })
    expect(data.bindings.edges).toEqual([])
    expect(data.bindings.pageInfo.hasNextPage).toBe(true)
    const rare = await listAll(gateway, { accountId: 'rare' }, 100)
    expect(rare.map(({ id }) => id)).toEqual(['resp_4321'])
    const all = await listAll(gateway, {}, 100)
    expect(all).toHaveLength(ids.length)
    expect(new Set(all.map(({ id }) => id))).toEqual(new Set(ids))
  }, 30_000)

  test('ids that a store has as hashes, damaged and expired records neither mislead nor end a list', async () => {
    await using opened = await open()
    await using gateway = await startAdminGateway({ store: opened.store })
    const long = `resp_${'x'.repeat(600)}`
    await seed(opened.store, [long, 'resp_1'])
    const records = opened.store.records<unknown>(bindingsNamespace)
    await records.set('no-space', bindingOf('one'))
    await records.set('response key damaged', { account: 7 })
    await records.set('response key expired', { ...bindingOf('one'), expiresAt: 1 })
    const all = await listAll(gateway)
    expect(all.map(({ id }) => id)).toHaveLength(2)
    const hashed = all.find(({ id }) => id === null)
    expect(hashed).toMatchObject({ keyId: 'key', kind: 'response' })
    expect(hashed?.recordId).toBe(bindingKeyOf({ kind: 'response', keyId: 'key', id: long }))
    const found = await gateway.graph<{ binding: Found }>(look, { keyId: 'key', id: long })
    expect(found.data.binding).toMatchObject({ state: 'FOUND', binding: { id: long } })
  })

  test('a cursor from elsewhere is an error of the query', async () => {
    await using opened = await open()
    await using gateway = await startAdminGateway({ store: opened.store })
    for (const after of ['', 'x', 'A'.repeat(9_000), Buffer.from('[1]').toString('base64url')]) {
      const { errors } = await gateway.graph(list, { after })
      expect(errors[0]?.extensions?.code).toBe('BAD_USER_INPUT')
    }
  })

  test('an operator forgets a binding: its id is unknown to its client from then on', async () => {
    await using opened = await open()
    await using gateway = await start(opened.store)
    for (const model of ['sandbox/whoami', 'sandbox/words=3']) {
      const { id } = await respond(gateway, 'mine', model)
      const named = { keyId: 'mine', id, kind: 'response' }
      const refused = await gateway.graph(forget, named, 'viewer')
      expect(refused.errors[0]?.extensions?.code).toBe('FORBIDDEN')
      const done = await gateway.graph(forget, named, 'operator')
      expect(done.data).toEqual({ forgetBinding: { __typename: 'ForgetBindingSuccess', id } })
      const again = await gateway.graph(forget, named, 'operator')
      expect(again.data).toEqual({ forgetBinding: { __typename: 'NotFound' } })
      const { status } = await respond(gateway, 'mine', model, { previous_response_id: id })
      expect(status).toBe(400)
    }
    // The items of the account's own response stay, as after a client has deleted it.
    const left = await listAll(gateway)
    expect(left.map(({ kind, accountId }) => [kind, accountId])).toEqual([['item', 'native']])
    const { data } = await gateway.graph<{ audit: Page<object> }>(
      '{ audit { edges { node { action result reason target { type id } before } } } }',
    )
    const acts = nodesOf(data.audit)
    // The refused role is one record a minute.
    expect(acts).toHaveLength(5)
    expect(acts).toContainEqual(
      expect.objectContaining({
        action: 'binding.forget',
        result: 'DONE',
        reason: 'asked for',
        before: { keyId: 'mine', kind: 'response', accountId: 'native', model: 'sandbox/whoami' },
      }),
    )
    expect(JSON.stringify(acts)).not.toContain('canary')
  })
})

test('a look-up tells an unknown binding from a store that does not answer', async () => {
  const store = breakable(openMemoryStore())
  await using gateway = await start(store)
  const { id } = await respond(gateway, 'mine', 'sandbox/whoami')
  const find = async (keyId: string, kind?: string) =>
    (await gateway.graph<{ binding: Found }>(look, { keyId, id, kind })).data.binding
  expect(await find('mine')).toMatchObject({ state: 'FOUND', binding: { accountId: 'native' } })
  expect(await find('other')).toMatchObject({ state: 'MISSING', binding: null })
  expect(await find('mine', 'conversation')).toMatchObject({ state: 'MISSING' })
  store.broken.reads = true
  expect(await find('mine')).toMatchObject({ state: 'CANNOT_TELL', binding: null })
  const { errors } = await gateway.graph(list)
  expect(errors[0]?.extensions?.code).toBe('STORE_UNAVAILABLE')
})

interface Answered {
  readonly use: 'CHAIN' | 'READ'
  readonly status: number
  readonly code: string | null
  readonly message: string | null
  readonly accountId: string | null
}

const ask = `query ($keyId: ID!, $id: String!, $model: String) {
  binding(keyId: $keyId, id: $id, model: $model) {
    answers { use status code message accountId } } }`

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
    headers: { authorization: `Bearer secret-${key}` },
  })
  const reply = (await found.json()) as Failed
  const failureOf = (status: number, { error }: Failed) => ({
    status,
    code: error?.details?.[0]?.code ?? error?.code ?? null,
    message: error?.message ?? null,
  })
  expect(chain).toMatchObject({ use: 'CHAIN', ...failureOf(chained.status, chained) })
  expect(read).toMatchObject({ use: 'READ', ...failureOf(found.status, reply) })
  return [chain, read].map((one) => [one?.status, one?.code, one?.accountId])
}

interface Failed {
  readonly error?: {
    readonly code: string | number
    readonly message: string
    readonly details?: { readonly code: string }[]
  } | null
}

test('a look-up says what a client of the id is answered now', async () => {
  const clock = { now: Date.now() }
  const store = breakable(openMemoryStore())
  await using gateway = await start(store, () => clock.now)
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
  await using gateway = await start(opened.store)
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
  expect(data.binding).toMatchObject({ answers: [{ use: 'READ', status: 200 }] })
  expect(gateway.sandbox.requests).toHaveLength(before)
  expect(await opened.store.records(bindingsNamespace).get(key)).toEqual(record)
})

test('a binding that the store has not taken yet is found, and can be forgotten', async () => {
  const store = breakable(openMemoryStore())
  await using gateway = await start(store)
  store.broken.writes = true
  const { id } = await respond(gateway, 'mine', 'sandbox/whoami')
  const find = async () =>
    (await gateway.graph<{ binding: Found }>(look, { keyId: 'mine', id })).data.binding
  expect(await find()).toMatchObject({ state: 'FOUND' })
  store.broken.writes = false
  await gateway.graph(forget, { keyId: 'mine', id, kind: 'response' }, 'operator')
  expect(await find()).toMatchObject({ state: 'MISSING' })
})

test('an affinity is found as a call finds it', async () => {
  const store = breakable(openMemoryStore())
  await using gateway = await start(store)
  await respond(gateway, 'mine', 'sandbox/whoami', { prompt_cache_key: 'prompt' })
  const query = `query ($keyId: ID!, $model: String) { affinities(keyId: $keyId, model: $model,
    promptCacheKeys: ["prompt", "another"], itemIds: ["call_1"]) { kind value state accountId until } }`
  type Affinities = { affinities: { state: string; accountId: string | null }[] }
  const find = (variables: object) => gateway.graph<Affinities>(query, variables)
  const { data } = await find({ keyId: 'mine', model: 'sandbox/whoami' })
  expect(data.affinities).toEqual([
    { kind: 'ITEM', value: 'call_1', state: 'MISSING', accountId: null, until: null },
    expect.objectContaining({
      kind: 'CACHE',
      value: 'prompt',
      state: 'FOUND',
      accountId: 'native',
    }),
    expect.objectContaining({ value: 'another', state: 'MISSING' }),
  ])
  const other = await find({ keyId: 'other', model: 'sandbox/whoami' })
  expect(other.data.affinities.map(({ state }) => state)).toEqual(['MISSING', 'MISSING', 'MISSING'])
  expect((await find({ keyId: 'mine' })).errors[0]?.extensions?.code).toBe('BAD_USER_INPUT')
  store.broken.reads = true
  const away = await find({ keyId: 'mine', model: 'sandbox/whoami' })
  expect(new Set(away.data.affinities.map(({ state }) => state))).toEqual(new Set(['CANNOT_TELL']))
})

function bindingOf(account: string): Binding {
  return { account, model: 'm', expiresAt: Date.now() + ownedMs }
}

async function seed(store: Store, ids: readonly string[]): Promise<void> {
  const records = store.records<Binding>(bindingsNamespace)
  for (let from = 0; from < ids.length; from += 100) {
    await records.setMany(
      ids.slice(from, from + 100).map((id) => ({
        id: bindingKeyOf({ kind: 'response', keyId: 'key', id }),
        value: bindingOf(id === 'resp_4321' ? 'rare' : 'one'),
      })),
    )
  }
}
