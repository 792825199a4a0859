import { expect, test, vi } from 'vitest'

import { createKey, keyRecords } from '../../src/stores/keys.ts'
import { openStore } from '../../src/stores/open.ts'
import { startRedis } from '../../src/testing/redis.ts'
import { temporaryDirectory } from '../stores/temporary.ts'
import { type AdminGateway, type Page, nodesOf, startAdminGateway } from './admin-gateway.ts'

interface Key {
  readonly id: string
  readonly state: string
  readonly managedBy: string
  readonly version: number | null
  readonly [name: string]: unknown
}

interface Result {
  readonly __typename: string
  readonly key?: Key
  readonly secret?: string
  readonly message?: string
}

const failures = `... on NotFound { message } ... on Conflict { message } ... on ManagedByFile { message fix }
  ... on Invalid { message problems { path } } ... on StoreUnavailable { message }`
const fields = `id state stateReason managedBy models explain losses createdAt createdBy rotatedAt graceUntil revokedAt
  expiresAt lastUsedAt version`

/** Performs an act on keys. */
async function act(
  gateway: AdminGateway,
  name: string,
  input: Record<string, unknown>,
  role?: 'operator',
): Promise<Result> {
  const type = `${name[0]!.toUpperCase()}${name.slice(1)}`
  const secret = ['createKey', 'rotateKey'].includes(name) ? 'secret' : ''
  const { data, errors } = await gateway.graph<Record<string, Result>>(
    `mutation ($input: ${type}Input!) { ${name}(input: $input) { __typename
      ... on ${type}Success { key { ${fields} errors } ${secret} } ${failures} } }`,
    { input },
    role,
  )
  expect(errors).toEqual([])
  return data[name]!
}

async function keysOf(
  gateway: AdminGateway,
  page: { first?: number; after?: string; filter?: object } = {},
): Promise<Page<Key>> {
  const { data, errors } = await gateway.graph<{ keys: Page<Key> }>(
    `query ($first: Int, $after: String, $filter: KeyFilter) {
      keys(first: $first, after: $after, filter: $filter) {
        edges { node { ${fields} } } pageInfo { hasNextPage endCursor } } }`,
    page,
  )
  expect(errors).toEqual([])
  return data.keys
}

const statusOf = async ({ url }: AdminGateway, secret: string) => {
  const response = await fetch(`${url}/v1/models`, {
    headers: { authorization: `Bearer ${secret}` },
  })
  await response.body?.cancel()
  return response.status
}

/** The answers of three dialects to a call with this key. */
async function statusesOf({ url }: AdminGateway, secret: string): Promise<unknown[]> {
  const calls: [path: string, headers: Record<string, string>][] = [
    ['/v1/chat/completions', { authorization: `Bearer ${secret}` }],
    ['/v1/messages', { 'x-api-key': secret }],
    ['/v1beta/models/m:generateContent', { 'x-goog-api-key': secret }],
  ]
  const answers = calls.map(async ([path, headers]) => {
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: '{}' })
    const { request_id: _own, ...body } = (await response.json()) as Record<string, unknown>
    return [response.status, body]
  })
  return Promise.all(answers)
}

const stores: Record<string, () => Promise<{ url: string } & AsyncDisposable>> = {
  memory: async () => ({ url: 'memory:', [Symbol.asyncDispose]: async () => {} }),
  async file() {
    const directory = await temporaryDirectory()
    return {
      url: `file:${directory.path}`,
      [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
    }
  },
  Redis: () => startRedis(),
}

test.each(Object.keys(stores))(
  'on %s a key is created, changed, rotated and revoked',
  async (kind) => {
    await using opened = await stores[kind]!()
    await using gateway = await startAdminGateway({ store: opened.url })
    const created = await act(gateway, 'createKey', {
      id: 'team',
      models: ['gpt-*'],
      losses: 'REJECT',
      errors: 'NATIVE',
    })
    expect(created).toMatchObject({
      __typename: 'CreateKeySuccess',
      key: { id: 'team', state: 'ACTIVE', managedBy: 'STORE', losses: 'REJECT', version: 1 },
    })
    const { key } = created
    expect(key).toMatchObject({ errors: 'NATIVE', createdBy: 'token:admin', lastUsedAt: null })
    expect(await statusOf(gateway, created.secret!)).toBe(200)
    expect((await act(gateway, 'createKey', { id: 'team' })).__typename).toBe('Conflict')

    const changed = await act(gateway, 'updateKey', {
      id: 'team',
      losses: null,
      errors: null,
      expectedVersion: 1,
    })
    expect(changed.key).toMatchObject({
      losses: null,
      errors: null,
      models: ['gpt-*'],
      version: 2,
    })
    expect(changed.key?.['lastUsedAt']).not.toBeNull()
    const late = await act(gateway, 'updateKey', { id: 'team', explain: true, expectedVersion: 1 })
    expect(late.__typename).toBe('Conflict')

    const rotated = await act(gateway, 'rotateKey', { id: 'team', graceSeconds: 3600 })
    expect(rotated.key?.['graceUntil']).not.toBeNull()
    for (const { secret } of [created, rotated]) expect(await statusOf(gateway, secret!)).toBe(200)
    const again = await act(gateway, 'rotateKey', { id: 'team', graceSeconds: 3600 })
    expect(await statusOf(gateway, created.secret!)).toBe(401)
    for (const { secret } of [rotated, again]) expect(await statusOf(gateway, secret!)).toBe(200)

    const revoked = await act(gateway, 'revokeKey', { id: 'team', reason: 'leaked' })
    expect(revoked.key).toMatchObject({ state: 'REVOKED', graceUntil: null })
    const twice = await act(gateway, 'revokeKey', { id: 'team', reason: 'again' })
    expect(twice.key).toEqual(revoked.key)
    for (const { secret } of [rotated, again]) expect(await statusOf(gateway, secret!)).toBe(401)
    expect((await act(gateway, 'rotateKey', { id: 'team', reason: '-' })).__typename).toBe(
      'Conflict',
    )
    expect((await act(gateway, 'revokeKey', { id: 'none', reason: '-' })).__typename).toBe(
      'NotFound',
    )

    const { data } = await gateway.graph<{ audit: Page<{ action: string }> }>(
      '{ audit(first: 100) { edges { node { action result target { id } before after reason message } } } }',
    )
    const told = JSON.stringify([data, await keysOf(gateway), gateway.log])
    for (const { secret } of [created, rotated, again]) expect(told).not.toContain(secret)
    expect(told).not.toContain('sha256:')
    expect(nodesOf(data.audit).find(({ action }) => action === 'key.update')).toBeDefined()
    expect(nodesOf(data.audit).filter(({ action }) => action === 'key.rotate')).toMatchObject([
      { result: 'FAILED' },
      { result: 'DONE', after: { secret: 'changed' } },
      { result: 'DONE', after: { secret: 'changed' } },
    ])
  },
)

test.each(Object.keys(stores))(
  'on %s a key that an operator disables is rejected by all processes until it is enabled',
  async (kind) => {
    await using opened = await stores[kind]!()
    const store = await openStore(opened.url, { cwd: '/' })
    await using _closing = { [Symbol.asyncDispose]: () => store.close() }
    await using one = await startAdminGateway({ store })
    await using other = await startAdminGateway({ store })
    const { secret = '' } = await act(one, 'createKey', { id: 'team' })
    const secrets = { team: secret, test: one.key }
    for (const [id, present] of Object.entries(secrets)) {
      expect(await statusOf(other, present)).toBe(200)
      const reason = 'runs wild'
      const off = await act(one, 'disableKey', { id, reason }, 'operator')
      const shown = { id, state: 'DISABLED', stateReason: 'an operator disabled it: runs wild' }
      expect(off).toMatchObject({ __typename: 'DisableKeySuccess', key: shown })
      expect(await statusOf(one, present)).toBe(401)
      await vi.waitFor(async () => expect(await statusOf(other, present)).toBe(401), 5_000)
      const filtered = await keysOf(other, { filter: { state: 'DISABLED' } })
      expect(nodesOf(filtered)).toMatchObject([shown])
      expect(await statusesOf(one, present)).toEqual(await statusesOf(one, 'unknown'))

      const on = await act(one, 'enableKey', { id }, 'operator')
      expect(on.key).toMatchObject({ id, state: 'ACTIVE', stateReason: null })
      expect(await statusOf(one, present)).toBe(200)
      await vi.waitFor(async () => expect(await statusOf(other, present)).toBe(200), 5_000)
    }
    const { data } = await one.graph<{ audit: Page<object> }>(
      '{ audit(first: 4) { edges { node { action target { id } before after reason result } } } }',
    )
    expect(nodesOf(data.audit)[1]).toMatchObject({
      action: 'key.disable',
      target: { id: 'test' },
      before: { enabled: true },
      after: { enabled: false },
      reason: 'runs wild',
      result: 'DONE',
    })
  },
)

test('a disabled key can be rotated, stays disabled behind a new start, and a revoked one stays revoked', async () => {
  await using store = await openedMemory()
  const first = await startAdminGateway({ store: store.store })
  const created = await act(first, 'createKey', { id: 'team' })
  await act(first, 'disableKey', { id: 'team', reason: 'leaked' })
  const rotated = await act(first, 'rotateKey', { id: 'team', graceSeconds: 60 })
  expect(rotated.key).toMatchObject({ state: 'DISABLED' })
  for (const { secret } of [created, rotated]) expect(await statusOf(first, secret!)).toBe(401)
  expect(rotated.key).toMatchObject({ lastUsedAt: null })
  await first[Symbol.asyncDispose]()

  await using second = await startAdminGateway({ store: store.store })
  expect(await statusOf(second, rotated.secret!)).toBe(401)
  await act(second, 'enableKey', { id: 'team' })
  expect(await statusOf(second, rotated.secret!)).toBe(200)
  await act(second, 'revokeKey', { id: 'team', reason: 'gone' })
  for (const name of ['disableKey', 'enableKey']) {
    const result = await act(second, name, { id: 'team', reason: '-' })
    expect(result).toMatchObject({ __typename: 'Conflict', message: 'The key "team" is revoked.' })
  }
  const missing = await act(second, 'disableKey', { id: 'none', reason: '-' })
  expect(missing.__typename).toBe('NotFound')
})

test('a key that the configuration file disables says so, and no act enables it', async () => {
  const keys = [{ id: 'off', secret: 'a-secret-of-a-key-that-is-off', disabled: true }]
  await using gateway = await startAdminGateway({ keys })
  const off = nodesOf(await keysOf(gateway)).find(({ id }) => id === 'off')
  expect(off).toMatchObject({ state: 'DISABLED', stateReason: 'the configuration disables it' })
  const result = await act(gateway, 'enableKey', { id: 'off' })
  expect(result).toMatchObject({ __typename: 'ManagedByFile' })
})

test('a past time of expiry ends a key at once', async () => {
  await using gateway = await startAdminGateway()
  const { secret = '' } = await act(gateway, 'createKey', { id: 'team' })
  expect(await statusOf(gateway, secret)).toBe(200)
  const expiresAt = '2001-01-01T00:00:00.000Z'
  const ended = await act(gateway, 'updateKey', { id: 'team', expiresAt })
  expect(ended.key).toMatchObject({ state: 'EXPIRED', expiresAt })
  expect(await statusOf(gateway, secret)).toBe(401)
  const late = await act(gateway, 'createKey', { id: 'late', expiresAt })
  expect(late.key).toMatchObject({ state: 'EXPIRED' })
  expect(await statusOf(gateway, late.secret!)).toBe(401)
})

test('keys of the configuration file are shown, and no act changes them', async () => {
  await using gateway = await startAdminGateway()
  expect(nodesOf(await keysOf(gateway))).toMatchObject([
    { id: 'test', managedBy: 'FILE', state: 'ACTIVE', version: null, createdAt: null },
  ])
  const acts = {
    createKey: {},
    updateKey: { explain: true },
    rotateKey: {},
    revokeKey: { reason: '-' },
  }
  for (const [name, input] of Object.entries(acts)) {
    const result = await act(gateway, name, { id: 'test', ...input })
    expect(result.__typename).toBe('ManagedByFile')
  }
  expect(await statusOf(gateway, gateway.key)).toBe(200)
})

test('pages and filters find each key once, whatever its state and origin', async () => {
  await using store = await openedMemory()
  await using gateway = await startAdminGateway({ store: store.store })
  for (let index = 0; index < 30; index++) {
    const expiresAt = index % 3 === 0 ? Date.now() - 1 : undefined
    await createKey(store.store, { id: `key-${10 + index}`, ...(expiresAt && { expiresAt }) })
  }
  await keyRecords(store.store).set('zzz', null as never)
  const seen: Key[] = []
  for (let after: string | undefined; ;) {
    const page = await keysOf(gateway, { first: 7, ...(after && { after }) })
    seen.push(...nodesOf(page))
    after = page.pageInfo.endCursor ?? undefined
    if (!page.pageInfo.hasNextPage) break
  }
  expect(seen).toHaveLength(32)
  expect(new Set(seen.map(({ id }) => id)).size).toBe(32)
  expect(seen.at(-1)).toMatchObject({ id: 'zzz', state: 'DAMAGED', version: null })
  const expired = await keysOf(gateway, { first: 50, filter: { state: 'EXPIRED' } })
  expect(nodesOf(expired)).toHaveLength(10)
  expect(expired.pageInfo.hasNextPage).toBe(false)
})

test('a search finds keys by a part of their id or of a label, and each key has its limits', async () => {
  await using store = await openedMemory()
  const quotas = [{ kind: 'requests' as const, amount: 5, window: 'day' as const }]
  await using gateway = await startAdminGateway({
    store: store.store,
    keys: [{ id: 'Search-EU', secret: `sk-${'x'.repeat(40)}`, quotas }],
  })
  const labels = { owner: 'research', app: 'chat' }
  await createKey(store.store, { id: 'batch', labels })
  await createKey(store.store, { id: 'other' })
  const idsOf = async (search: string) =>
    nodesOf(await keysOf(gateway, { filter: { search } })).map(({ id }) => id)
  expect(await idsOf('search')).toEqual(['Search-EU', 'batch'])
  expect(await idsOf('SEARCH-e')).toEqual(['Search-EU'])
  expect(await idsOf('app=CH')).toEqual(['batch'])
  expect(await idsOf('nothing')).toEqual([])
  expect(await idsOf('')).toHaveLength(3)
  const { data, errors } = await gateway.graph<{ keys: Page<Key> }>(
    '{ keys { edges { node { id limits { kind amount spent } } } } }',
    {},
    'viewer',
  )
  expect([errors, nodesOf(data.keys)]).toEqual([
    [],
    [
      { id: 'Search-EU', limits: [{ kind: 'REQUESTS', amount: 5, spent: 0 }] },
      { id: 'batch', limits: [] },
      { id: 'other', limits: [] },
    ],
  ])
})

test('bad settings of a key are named, and none is written', async () => {
  await using gateway = await startAdminGateway()
  const inputs = [
    { id: 'a b' },
    { id: '' },
    { id: 'x', models: [] },
    { id: 'x', models: [''] },
    { id: 'x', models: ['x'.repeat(513)] },
  ]
  for (const input of inputs) {
    expect((await act(gateway, 'createKey', input)).__typename).toBe('Invalid')
  }
  await act(gateway, 'createKey', { id: 'y' })
  for (const graceSeconds of [-1, 2_592_001]) {
    const result = await act(gateway, 'rotateKey', { id: 'y', graceSeconds })
    expect(result.__typename).toBe('Invalid')
  }
  const keys = gateway.running.store.records<object>('keys')
  await keys.update('y', (known) => ({ ...known, expiresAt: Date.now() - 1 }))
  const late = await act(gateway, 'rotateKey', { id: 'y', graceSeconds: 60 })
  expect(late).toMatchObject({ __typename: 'Conflict', message: 'The key "y" has expired.' })
  for (const id of ['', '\ud800', 'x'.repeat(600)]) {
    expect((await act(gateway, 'revokeKey', { id, reason: '-' })).__typename).toBe('NotFound')
  }
  expect(nodesOf(await keysOf(gateway)).map(({ id }) => id)).toEqual(['test', 'y'])
})

test('an operator can neither create nor revoke a key', async () => {
  await using gateway = await startAdminGateway()
  for (const role of ['viewer', 'operator'] as const) {
    const { errors } = await gateway.graph(
      'mutation { createKey(input: {id: "x"}) { __typename } }',
      {},
      role,
    )
    expect(errors[0]?.extensions?.code).toBe('FORBIDDEN')
  }
})

async function openedMemory() {
  const store = await openStore('memory:', { cwd: '/' })
  return { store, [Symbol.asyncDispose]: () => store.close() }
}
