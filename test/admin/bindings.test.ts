import { describe, expect, test } from 'vitest'

import {
  type Binding,
  bindingKeyOf,
  bindingsNamespace,
  ownedMs,
  ownerMarkOf,
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
import { respond, startBound } from './bound.ts'
import { grounds } from './grounds.ts'
import { listAll, refusesForeignCursors } from './listing.ts'

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

function bindingsOf(gateway: AdminGateway, filter = {}, first = 2): Promise<Shown[]> {
  return listAll<Shown>(gateway, { query: list, field: 'bindings' }, filter, first)
}

type Answer = GraphAnswer<{ bindings: Page<Shown> }>

test('the mark of a file’s owner is neither shown nor forgotten', async () => {
  const store = openMemoryStore()
  await using gateway = await startAdminGateway({ store })
  const records = store.records<Binding>(bindingsNamespace)
  const binding = { account: 'a', model: 'm', expiresAt: Date.now() + ownedMs }
  const mark = ownerMarkOf({ kind: 'file', id: 'file_1' })
  const file = { kind: 'file', keyId: 'mine', id: 'file_1' }
  for (const name of [mark, file]) await records.set(bindingKeyOf(name), binding)
  expect((await bindingsOf(gateway)).map(({ kind, keyId }) => ({ kind, keyId }))).toEqual([
    { kind: 'file', keyId: 'mine' },
  ])
  expect(await bindingsOf(gateway, { kind: mark.kind })).toEqual([])
  const found = await gateway.graph<{ binding: Found }>(look, { ...mark })
  expect(found.data.binding.state).toBe('MISSING')
  const done = await gateway.graph(forget, { ...mark })
  expect(done.data).toEqual({ forgetBinding: { __typename: 'NotFound' } })
  expect(await records.get(bindingKeyOf(mark))).toEqual(binding)
})

describe.each(grounds)('on $name', ({ open }) => {
  test('the bindings of clients are listed by key, account, kind and age, without content', async () => {
    await using opened = await open()
    await using gateway = await startBound(opened.store)
    const before = new Date().toISOString()
    const native = await respond(gateway, 'mine', 'sandbox/whoami')
    const stored = await respond(gateway, 'mine', 'sandbox/words=3')
    const other = await respond(gateway, 'other', 'sandbox/whoami')
    const idsOf = async (filter: object) =>
      (await bindingsOf(gateway, filter))
        .filter(({ kind }) => kind === 'response')
        .map(({ id }) => id)
    const all = await bindingsOf(gateway)
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
    const rare = await bindingsOf(gateway, { accountId: 'rare' }, 100)
    expect(rare.map(({ id }) => id)).toEqual(['resp_4321'])
    const all = await bindingsOf(gateway, {}, 100)
    expect(all).toHaveLength(ids.length)
    expect(new Set(all.map(({ id }) => id))).toEqual(new Set(ids))
  }, 30_000)

  test('a walk in small pages ends and lists each binding once while clients make others', async () => {
    await using opened = await open()
    await using gateway = await startBound(opened.store)
    const ids = Array.from({ length: 300 }, (_, index) => `resp_${index}`)
    await seed(opened.store, ids)
    const listed: Shown[] = []
    let pages = 0
    let after: string | null = null
    for (;;) {
      const answer: Answer = await gateway.graph(list, { first: 5, after })
      // A busy machine may exceed the deadline of the store.
      if (answer.errors[0]?.extensions?.code === 'STORE_UNAVAILABLE') continue
      const { edges, pageInfo } = answer.data.bindings
      listed.push(...edges.map(({ node }) => node))
      pages++
      if (!pageInfo.hasNextPage || pages === 500) break
      after = pageInfo.endCursor
      await respond(gateway, 'mine', 'sandbox/whoami')
    }
    expect(pages).toBeLessThan(200)
    const recordIds = new Set(listed.map(({ recordId }) => recordId))
    expect(listed.length - recordIds.size).toBe(0)
    const found = new Set(listed.map(({ id }) => id))
    expect(ids.filter((id) => !found.has(id))).toEqual([])
  }, 60_000)

  test('ids that a store has as hashes, damaged and expired records neither mislead nor end a list', async () => {
    await using opened = await open()
    await using gateway = await startAdminGateway({ store: opened.store })
    const long = `resp_${'x'.repeat(600)}`
    await seed(opened.store, [long, 'resp_1'])
    const records = opened.store.records<unknown>(bindingsNamespace)
    await records.set('no-space', bindingOf('one'))
    await records.set('response key damaged', { account: 7 })
    await records.set('response key expired', { ...bindingOf('one'), expiresAt: 1 })
    const all = await bindingsOf(gateway)
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
    await refusesForeignCursors(gateway, list)
  })

  test('an operator forgets a binding: its id is unknown to its client from then on', async () => {
    await using opened = await open()
    await using gateway = await startBound(opened.store)
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
    const left = await bindingsOf(gateway)
    expect(left.map(({ kind, accountId }) => [kind, accountId])).toEqual([['item', 'native']])
    const { data } = await gateway.graph<{ audit: Page<object> }>(
      '{ audit { edges { node { action result reason target { type id } before } } } }',
    )
    const acts = nodesOf(data.audit)
    // Three of each response: the refused role, the act, and the one that finds nothing.
    expect(acts).toHaveLength(6)
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

test('an operator forgets a binding whose kind nobody knows', async () => {
  await using gateway = await startBound(openMemoryStore())
  const { id } = await respond(gateway, 'mine', 'sandbox/whoami')
  const any = { keyId: 'mine', id, kind: '*' }
  const done = await gateway.graph(forget, any, 'operator')
  expect(done.data).toEqual({ forgetBinding: { __typename: 'ForgetBindingSuccess', id } })
  const again = await gateway.graph(forget, any, 'operator')
  expect(again.data).toEqual({ forgetBinding: { __typename: 'NotFound' } })
})

test('a look-up tells an unknown binding from a store that does not answer', async () => {
  const store = breakable(openMemoryStore())
  await using gateway = await startBound(store)
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

test('a binding that the store has not taken yet is found, and can be forgotten', async () => {
  const store = breakable(openMemoryStore())
  await using gateway = await startBound(store)
  store.broken.writes = true
  const { id } = await respond(gateway, 'mine', 'sandbox/whoami')
  const find = async () =>
    (await gateway.graph<{ binding: Found }>(look, { keyId: 'mine', id })).data.binding
  expect(await find()).toMatchObject({ state: 'FOUND' })
  store.broken.writes = false
  await gateway.graph(forget, { keyId: 'mine', id, kind: 'response' }, 'operator')
  expect(await find()).toMatchObject({ state: 'MISSING' })
})

test('a look-up for a caller that a plugin identifies does not call the caller unknown', async () => {
  await using gateway = await startBound(openMemoryStore())
  const keyId = '@jwt:alice'
  const query = `query ($keyId: ID!) { viewer { id }
    binding(keyId: $keyId, id: "resp_1") { state reason } }`
  expect(await gateway.graph(query, { keyId })).toMatchObject({
    errors: [],
    data: {
      binding: { state: 'MISSING', reason: null },
    },
  })
  expect((await gateway.graph(query, { keyId: 'nobody' })).data).toMatchObject({
    binding: { state: 'MISSING', reason: 'There is no key `nobody`.' },
  })
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

interface FoundOfAny extends Found {
  readonly otherKeyIds: readonly string[]
  readonly answers: readonly { readonly use: string; readonly status: number }[]
}

const lookOfAny = `query ($id: String!, $kind: String) { binding(id: $id, kind: $kind) {
  state reason otherKeyIds binding { ${fields} } answers { use status } } }`

describe.each(grounds)('on $name, without the key', ({ open }) => {
  test('an admin finds who owns an id, and what its client gets; others name the key', async () => {
    await using opened = await open()
    await using gateway = await startBound(opened.store)
    const { id } = await respond(gateway, 'other', 'sandbox/words=3')
    const find = (asked: object, role?: 'operator' | 'viewer') =>
      gateway.graph<{ binding: FoundOfAny | null }>(lookOfAny, asked, role)
    const { data } = await find({ id })
    expect(data.binding).toMatchObject({
      state: 'FOUND',
      binding: { id, keyId: 'other', accountId: 'chat', kind: 'response' },
      otherKeyIds: [],
    })
    expect(data.binding!.answers).toContainEqual({ use: 'CHAIN', status: 200 })
    // Also of a key that is no longer valid.
    await gateway.graph('mutation { disableKey(input: {id: "other", reason: "x"}) { __typename } }')
    expect((await find({ id })).data.binding).toMatchObject({ binding: { keyId: 'other' } })
    expect((await find({ id, kind: 'conversation' })).data.binding?.state).toBe('MISSING')
    const missing = (await find({ id: 'resp_none' })).data.binding
    expect(missing).toMatchObject({ state: 'MISSING', binding: null, answers: [] })
    expect(missing?.reason).toContain('None of the 2 API keys has it.')
    for (const role of ['operator', 'viewer'] as const) {
      const refused = await find({ id }, role)
      expect([role, refused.errors[0]?.extensions?.code]).toEqual([role, 'FORBIDDEN'])
      const named = await gateway.graph<{ binding: Found }>(look, { id, keyId: 'other' }, role)
      expect(named.data.binding.state).toBe('FOUND')
    }
  })

  test('an id that several keys have is found with all of them', async () => {
    await using opened = await open()
    await using gateway = await startBound(opened.store)
    const records = opened.store.records<Binding>(bindingsNamespace)
    const binding = { account: 'chat', model: 'm', expiresAt: Date.now() + ownedMs }
    for (const keyId of ['other', 'mine'])
      await records.set(bindingKeyOf({ kind: 'file', keyId, id: 'file_1' }), binding)
    const { data } = await gateway.graph<{ binding: FoundOfAny }>(lookOfAny, { id: 'file_1' })
    expect(data.binding).toMatchObject({
      state: 'FOUND',
      binding: { keyId: 'mine', kind: 'file' },
      otherKeyIds: ['other'],
    })
  })
})

test('without the store or with too many keys it is not known who owns an id, and few searches are in an operation', async () => {
  const store = breakable(openMemoryStore())
  const many = Array.from({ length: 8_000 }, (_, index) => ({
    id: `key-${index}`,
    secret: `secret-of-the-key-${index}`,
  }))
  await using gateway = await startAdminGateway({ store, keys: many })
  const find = (asked: object) => gateway.graph<{ binding: FoundOfAny | null }>(lookOfAny, asked)
  expect((await find({ id: 'resp_1' })).data.binding).toMatchObject({
    state: 'CANNOT_TELL',
    reason: expect.stringContaining('name the key') as string,
  })
  expect((await find({ id: 'resp_1', kind: 'response' })).data.binding?.state).toBe('MISSING')
  const searches = Array.from({ length: 25 }, (_, at) => `a${at}: binding(id: "x") { state }`)
  const { errors } = await gateway.graph(`{ ${searches.join(' ')} }`)
  expect(errors[0]?.message).toMatch(/complexity|costs/i)
  store.broken.reads = true
  const away = await find({ id: 'resp_1', kind: 'response' })
  expect(away.errors[0]?.extensions?.code).toBe('STORE_UNAVAILABLE')
})
