import { expect, test } from 'vitest'

import { openMemoryStore } from '../../src/stores/memory.ts'
import { breakable } from '../../src/testing/breakable-store.ts'
import { type AdminGateway, startAdminGateway } from './admin-gateway.ts'
import { act, newSecretKey } from './stored-accounts.ts'

const fields = {
  keys: 'keys { edges { cursor } }',
  key: 'key(id: "test-of-the-store") { id }',
  audit: 'audit { edges { cursor } }',
  sessions: 'sessions { edges { cursor } }',
  bindings: 'bindings { edges { cursor } }',
  jobs: 'jobs { edges { cursor } }',
  captures: 'captures { id }',
}

test('a store that is away is told as such, no defect, and takes no other field of a page along', async () => {
  const store = breakable(openMemoryStore())
  await using gateway = await startAdminGateway({ store })
  store.broken.reads = true
  for (const [name, field] of Object.entries(fields)) {
    const { data, errors } = await gateway.graph(`{ accounts { edges { cursor } } ${field} }`)
    expect({ name, codes: errors.map(({ extensions }) => extensions?.code) }).toEqual({
      name,
      codes: ['STORE_UNAVAILABLE'],
    })
    expect(data).toEqual({ accounts: { edges: [] }, [name]: null })
  }
  expect(
    gateway.log.filter(({ message }) => /query of the admin API/.test(String(message))),
  ).toEqual([])
})

test('a list of what was known last says so', async () => {
  const store = breakable(openMemoryStore())
  await using gateway = await startAdminGateway({ store })
  const ask = () => gateway.graph('{ aliases { name } adminTokens { edges { node { id } } } }')
  expect((await ask()).extensions).toEqual({})
  store.broken.reads = true
  const away = await ask()
  expect(away).toMatchObject({
    errors: [],
    extensions: { incomplete: [{ field: 'aliases' }, { field: 'adminTokens' }] },
  })
  expect(away.data).toMatchObject({ aliases: [] })
  store.broken.reads = false
  expect((await ask()).extensions).toEqual({})
})

test('each answer says that the store is away, and no longer once it is back', async () => {
  const store = breakable(openMemoryStore())
  await using gateway = await startAdminGateway({ store })
  const ask = async () => (await gateway.graph('{ viewer { id } }')).extensions
  expect(await ask()).toEqual({})
  store.broken.reads = true
  store.broken.writes = true
  await gateway.services.processes.beat()
  expect(await ask()).toEqual({ storeAway: true })
  store.broken.reads = false
  store.broken.writes = false
  await gateway.services.processes.beat()
  expect(await ask()).toEqual({})
})

test('a dry run for a key that this process does not know does not call it unknown', async () => {
  const store = breakable(openMemoryStore())
  await using gateway = await startAdminGateway({ store })
  const codeOf = async () => {
    const query = '{ explain(input: { keyId: "new", dialect: "chat", model: "m" }) { rule } }'
    return (await gateway.graph(query)).errors[0]?.extensions?.code
  }
  expect(await codeOf()).toBe('BAD_USER_INPUT')
  store.broken.reads = true
  expect(await codeOf()).toBe('STORE_UNAVAILABLE')
})

/** Two replicas of which the other cannot read the store, and an account that the first has created since. */
async function startWithUnknownAccount() {
  await using opening = new AsyncDisposableStack()
  const inner = openMemoryStore()
  const store = breakable(inner)
  const place = { provider: 'openai', baseUrl: 'http://127.0.0.1:9', models: ['known'] }
  const options = {
    accounts: [{ ...place, id: 'known', apiKey: 'key-of-the-file' }],
    env: { DRAGOMAN_SECRET_KEY: newSecretKey() },
  }
  const one = opening.use(await startAdminGateway({ ...options, store: inner }))
  const other = opening.use(await startAdminGateway({ ...options, store }))
  store.broken.reads = true
  const created = { ...place, id: 'new', models: ['new'], credential: 'credential-of-the-new' }
  expect((await act(one, 'createAccount', created)).__typename).toBe('CreateAccountSuccess')
  const opened = opening.move()
  return { one, other, store, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

const acts = {
  'account.disable': 'disableAccount(input: {id: "new", reason: "leaked"})',
  'account.enable': 'enableAccount(input: {id: "new"})',
  'account.test': 'testAccount(input: {id: "new"})',
  'account.reset-circuit': 'resetCircuit(input: {id: "new"})',
  'account.clear-cool-down': 'clearCoolDown(input: {id: "new"})',
  'alias.set': 'setAlias(input: {name: "short", model: "new"})',
  'alias.remove': 'removeAlias(input: {name: "short", reason: "unused"})',
}

async function resultOf(gateway: AdminGateway, act: string): Promise<string> {
  const query = `mutation { act: ${act} { __typename ... on ActFailure { message } } }`
  const { data } = await gateway.graph<{ act: { __typename: string; message?: string } }>(query)
  return [data.act.__typename, data.act.message].join(': ')
}

test('acts on what the store cannot show are not answered that there is no such thing', async () => {
  await using replicas = await startWithUnknownAccount()
  const { one, other, store } = replicas
  const away = 'The store does not answer. Nothing was changed.'
  for (const act of Object.values(acts)) {
    expect([act, await resultOf(other, act)]).toEqual([act, `StoreUnavailable: ${away}`])
  }
  // A mistake that needs no store to be seen.
  const blank = 'setAlias(input: {name: "", model: "new"})'
  expect(await resultOf(other, blank)).toMatch(/^Invalid/)
  const audit = '{ audit(first: 40) { edges { node { action message } } } }'
  interface Entries {
    readonly audit: { readonly edges: { node: { action: string; message: string | null } }[] }
  }
  const { edges } = (await one.graph<Entries>(audit)).data.audit
  for (const action of Object.keys(acts)) {
    const messages = edges.flatMap(({ node }) => (node.action === action ? [node.message] : []))
    expect([action, messages.includes(away)]).toEqual([action, true])
    expect(JSON.stringify(messages)).not.toContain('There is no')
  }
  store.broken.reads = false
  expect(await resultOf(other, 'disableAccount(input: {id: "no", reason: "x"})')).toMatch(
    /^NotFound/,
  )
  expect(await resultOf(other, acts['account.disable'])).toMatch(/^DisableAccountSuccess/)
})

test('accounts that the store cannot show are not said to be absent', async () => {
  await using replicas = await startWithUnknownAccount()
  const { other, store } = replicas
  const { data, errors, extensions } = await other.graph(`{
    new: account(id: "new") { id } account(id: "known") { id }
    accounts { edges { node { id } } } models { edges { node { name } } } configuration { hash } }`)
  expect(data).toMatchObject({
    new: null,
    account: { id: 'known' },
    accounts: { edges: [{ node: { id: 'known' } }] },
    models: { edges: [{ node: { name: 'known' } }] },
  })
  expect(errors).toMatchObject([{ path: ['new'], extensions: { code: 'STORE_UNAVAILABLE' } }])
  const stale = ['account', 'accounts', 'configuration', 'models']
  const shown = extensions.incomplete?.filter(({ reason }) => reason.includes('known last'))
  expect(shown?.map(({ field }) => field).toSorted()).toEqual(stale)
  const dryRun =
    '{ explain(input: {keyId: "test", dialect: "chat", model: "new"}) { answer { status code message } } }'
  const explained = await other.graph<{ explain: { answer: object } }>(dryRun)
  expect(explained.extensions).toMatchObject({ incomplete: [{ field: 'explain' }] })
  const response = await fetch(`${other.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${other.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'new', messages: [{ role: 'user', content: 'hi' }] }),
  })
  const { error } = (await response.json()) as { error: { message: string } }
  expect(response.status).toBe(503)
  expect(explained.data.explain.answer).toEqual({
    status: 503,
    code: 'lookup_unavailable',
    message: error.message,
  })
  store.broken.reads = false
  const query =
    '{ no: account(id: "no") { id } account(id: "new") { id } accounts { edges { cursor } } }'
  expect(await other.graph(query)).toMatchObject({
    data: { no: null, account: { id: 'new' }, accounts: { edges: [{}, {}] } },
    errors: [],
    extensions: {},
  })
})
