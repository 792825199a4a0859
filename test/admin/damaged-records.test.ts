import { expect, test } from 'vitest'

import { createAuditLog } from '../../src/audit/log.ts'
import { createAdminToken } from '../../src/stores/admin-tokens.ts'
import { createKey } from '../../src/stores/keys.ts'
import { bindingKeyOf } from '../../src/stores/bindings.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { type Page, nodesOf, startAdminGateway } from './admin-gateway.ts'
import { send } from './http/send.ts'

type Ids = Page<{ id: string; state: string }>

test('a damaged API key is shown as damaged, beside the others', async () => {
  await using gateway = await startAdminGateway()
  const { store } = gateway.running
  const { key } = await createKey(store, { id: 'good' })
  const changes = {
    created: { createdAt: 'x' },
    creator: { createdBy: {} },
    expiry: { expiresAt: 1e300 },
    revoked: { revokedAt: -1e300 },
    rotated: { rotatedAt: [] },
    version: { version: 2 ** 53 - 1 },
    former: { previous: { hash: key.hash, until: 1e300 } },
  }
  const records = store.records('keys', { listed: true })
  for (const [id, change] of Object.entries(changes))
    await records.set(id, { ...key, id, ...change })
  const query = `{ keys(first: 20) { edges { node {
    id state createdAt createdBy expiresAt revokedAt rotatedAt graceUntil version } } } }`
  const { data, errors } = await gateway.graph<{ keys: Ids }>(query)
  expect(errors).toEqual([])
  const states = Object.fromEntries(nodesOf(data.keys).map(({ id, state }) => [id, state]))
  expect(states).toMatchObject({ good: 'ACTIVE', test: 'ACTIVE' })
  for (const id of Object.keys(changes)) expect([id, states[id]]).toEqual([id, 'DAMAGED'])
})

test('a damaged audit record is left out of every page', async () => {
  await using gateway = await startAdminGateway()
  const { store } = gateway.running
  const audit = createAuditLog({ store })
  const act = { address: '', agent: '', action: 'key.create', target: { type: 'key', id: 'good' } }
  await audit.note({ ...act, result: 'DONE' })
  const changes = [
    { target: null },
    { target: { type: 'key' } },
    { at: 1e300 },
    { address: undefined },
    { result: 'UNKNOWN' },
    { actor: 'me' },
    { actor: { id: 1 } },
    { message: {} },
    { before: 1 },
    { count: 1e12 },
  ]
  const records = store.records('audit', { listed: true })
  for (const [index, change] of changes.entries())
    await records.set(`00000000000000${index}-x`, { at: 1, ...act, result: 'DONE', ...change })
  const query = `query ($filter: AuditFilter) { audit(first: 50, filter: $filter) { edges { node {
    id at address agent action result message count actor { id kind role } target { type id } before } } } }`
  for (const filter of [{}, { target: 'good' }, { actor: 'none' }, { action: 'key' }]) {
    const { data, errors } = await gateway.graph<{ audit: Page<object> }>(query, { filter })
    expect(errors).toEqual([])
    expect(nodesOf(data.audit)).toHaveLength('actor' in filter ? 0 : 1)
  }
})

test('a damaged session opens nothing, and is left out of the list', async () => {
  await using gateway = await startAdminGateway()
  const headers = { authorization: `Bearer ${gateway.token('viewer')}` }
  const begun = await send(gateway.adminUrl, { path: '/session', headers })
  const cookie = String(begun.headers['set-cookie']).split(';')[0]!
  const id = cookie.split('=')[1]!.split('.')[0]!
  const records = gateway.running.store.records<object>('admin-sessions', { listed: true })
  const known = await records.get(id)
  const list = async () => {
    const { data, errors } = await gateway.graph<{ sessions: Ids }>(
      '{ sessions { edges { node { id usedAt endsAt beganAt address role } } } }',
    )
    expect(errors).toEqual([])
    return nodesOf(data.sessions).map((one) => one.id)
  }
  expect(await list()).toEqual([id])
  const damaged = [1, [], {}, { hash: 1 }, { ...known, endsAt: 1e300 }, { ...known, grant: null }]
  for (const value of damaged) {
    await records.set(id, value as object)
    await records.set('ffffffffffffffffffffffff', value as object)
    const shown = await send(gateway.adminUrl, {
      method: 'GET',
      path: '/session',
      headers: { cookie },
    })
    expect([value, JSON.parse(shown.text) as unknown]).toEqual([
      value,
      { signedIn: false, oidc: false },
    ])
    expect(await list()).toEqual([])
  }
})

test('times that no date holds break no list', async () => {
  const store = openMemoryStore()
  const far = { expiresAt: 1e300, chainUntil: 1e300 }
  const binding = { account: 'a', model: 'm', expiresAt: Date.now() + 60_000 }
  const bindings = store.records('bindings')
  await bindings.set('response test good', binding)
  await bindings.set('response test far', { ...binding, ...far })
  await bindings.set('response test chain', { ...binding, chainUntil: -1e300 })
  const alias = { model: 'gpt', version: 1, changedAt: 1, changedBy: 'me' }
  const aliases = store.records('aliases', { listed: true })
  await aliases.set('good', { ...alias, name: 'good' })
  await aliases.set('far', { ...alias, name: 'far', changedAt: 1e300 })
  await aliases.set('much', { ...alias, name: 'much', version: 2 ** 52 })
  await store.records('key-uses').set('test', 1e300)
  await using gateway = await startAdminGateway({ store })
  const { data, errors } = await gateway.graph<{
    bindings: Ids
    aliases: { name: string }[]
    keys: Ids
    binding: object
  }>(`{
    bindings { edges { node { id expiresAt chainUntil createdAt } } }
    aliases { name changedAt version }
    keys { edges { node { id lastUsedAt } } }
    binding(keyId: "test", id: "far", kind: "response") { binding { id expiresAt chainUntil } }
  }`)
  expect(errors).toEqual([])
  expect(nodesOf(data.bindings).map(({ id }) => id)).toEqual(['good', 'chain'])
  expect(data.aliases.map(({ name }) => name)).toEqual(['good'])
  expect(nodesOf(data.keys)).toEqual([{ id: 'test', lastUsedAt: null }])
  const latest = '+275760-09-13T00:00:00.000Z'
  expect(data.binding).toMatchObject({ binding: { expiresAt: latest, chainUntil: latest } })
})

test('a damaged binding can be forgotten', async () => {
  const store = openMemoryStore()
  await using gateway = await startAdminGateway({ store })
  const name = { kind: 'response', keyId: 'test', id: 'resp_1' }
  const bindings = store.records('bindings')
  await bindings.set(bindingKeyOf(name), { account: 7 }, { ttlMs: 60_000 })
  const forget = `mutation { forgetBinding(input: {keyId: "test", id: "resp_1", kind: "response", reason: "x"}) {
    __typename } }`
  const results = []
  for (let asked = 0; asked < 2; asked++) {
    const { data } = await gateway.graph<{ forgetBinding: { __typename: string } }>(forget)
    results.push(data.forgetBinding.__typename)
  }
  expect(results).toEqual(['ForgetBindingSuccess', 'NotFound'])
  expect(await bindings.get(bindingKeyOf(name))).toBeUndefined()
})

const revoke = 'mutation { revokeAdminToken(input: {id: "old", reason: "x"}) { __typename } }'

test('no record of revocations keeps a token from being revoked', async () => {
  const store = openMemoryStore()
  await using gateway = await startAdminGateway({ store })
  const records = store.records<unknown>('admin-revocations')
  const sound = { by: 'x', token: 'other', at: Date.now() }
  const damaged = [
    { announced: 5 },
    { announced: [null] },
    {},
    null,
    'text',
    { announced: [{ ...sound, at: 'x' }, sound] },
    { announced: Array.from({ length: 5_000 }, () => sound) },
  ]
  for (const [index, record] of damaged.entries()) {
    await createAdminToken(store, { id: `old${index}`, role: 'viewer', createdBy: 'test' })
    await records.set('under-way', record)
    const { data, errors } = await gateway.graph(revoke.replace('old', `old${index}`))
    expect([record, data, errors]).toEqual([
      record,
      { revokeAdminToken: { __typename: 'RevokeAdminTokenSuccess' } },
      [],
    ])
    const left = (await records.get('under-way')) as { announced: object[] } | undefined
    // What another process has announced stays announced; an empty record does not stay.
    if (index < 5) expect(left).toBeUndefined()
    else expect(left?.announced).toHaveLength(index === 5 ? 1 : 255)
  }
})

test('no former version of an id makes its next record invalid', async () => {
  const store = openMemoryStore()
  const account = { id: 'own', provider: 'openai', apiKey: 'sk', models: ['m'] }
  const env = { DRAGOMAN_ACCOUNT_A: 'sk' }
  await using gateway = await startAdminGateway({ store, env, accounts: [account] })
  const versions = ['accounts', 'aliases'].map((name) =>
    store.records<unknown>(`${name}-former-versions`),
  )
  const hostile = [2_147_483_647, 2_147_483_646, 'x', {}, -5, 1.5, null, 1e300]
  const acts = `mutation ($id: ID!, $name: String!) {
    createAccount(input: {id: $id, provider: "openai", models: ["n"], credential: "env:DRAGOMAN_ACCOUNT_A"}) {
      __typename ... on CreateAccountSuccess { account { version } } ... on Invalid { message } }
    setAlias(input: {name: $name, model: "m"}) { __typename ... on SetAliasSuccess { alias { version } } } }`
  const removals = `mutation ($id: ID!, $name: String!) {
    deleteAccount(input: {id: $id, reason: "x"}) { __typename }
    removeAlias(input: {name: $name, reason: "x"}) { __typename } }`
  for (const [index, former] of hostile.entries()) {
    const ids = { id: `a${index}`, name: `a${index}` }
    for (const records of versions) await records.set(ids.id, former)
    for (const version of [1, 2]) {
      const { data, errors } = await gateway.graph<Record<string, object>>(acts, ids)
      expect([former, data, errors]).toMatchObject([
        former,
        { createAccount: { account: { version } }, setAlias: { alias: { version } } },
        [],
      ])
      for (const records of versions) if (version === 2) expect(await records.get(ids.id)).toBe(1)
      await gateway.graph(removals, ids)
    }
  }
})
