import { isInterfaceType, isObjectType } from 'graphql'
import { expect, test } from 'vitest'

import { createAdminSchema } from '../../src/admin/schema/index.ts'
import {
  type Binding,
  bindingKeyOf,
  bindingsNamespace,
  ownedMs,
} from '../../src/stores/bindings.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import type { Store } from '../../src/stores/store.ts'
import { breakable } from '../../src/testing/breakable-store.ts'
import { type AdminGateway, type Page, nodesOf, startAdminGateway } from './admin-gateway.ts'

test('every object that names an account or a key leads to it', () => {
  const types = Object.values(createAdminSchema().getTypeMap())
  const objects = types.filter((type) => isObjectType(type) || isInterfaceType(type))
  const named = objects.flatMap((type) => {
    const fields = type.getFields()
    return Object.entries({ accountId: 'account', keyId: 'key' }).flatMap(([id, edge]) =>
      id in fields ? [[`${type.name}.${edge}`, String(fields[edge]?.type)]] : [],
    )
  })
  const wrong = named.filter(([, type]) => type !== 'Account' && type !== 'Key')
  expect(wrong).toEqual([])
  expect(named.length).toBeGreaterThan(15)
})

interface Edges {
  readonly accountId: string | null
  readonly keyId: string | null
  readonly account: { readonly id: string; readonly state: string } | null
  readonly key: { readonly id: string; readonly state: string; readonly models: string[] } | null
  readonly platformModel: { readonly name: string; readonly available: boolean } | null
}

const query = `query ($first: Int) { bindings(first: $first) { edges { node {
  accountId keyId account { id state } key { id state models } platformModel { name available } } } } }`

async function act(gateway: AdminGateway, name: string, input: object): Promise<void> {
  const type = `${name[0]!.toUpperCase()}${name.slice(1)}`
  const query = `mutation ($input: ${type}Input!) { ${name}(input: $input) { __typename } }`
  const { data } = await gateway.graph<Record<string, object>>(query, { input })
  expect(data[name]).toEqual({ __typename: `${type}Success` })
}

const accounts = ['live', 'gone'].map((id) => ({
  id,
  provider: 'openai-compatible',
  baseUrl: 'http://127.0.0.1:9/v1',
  models: [`${id}-*`],
}))

async function seed(store: Store, names: readonly (readonly [account: string, keyId: string])[]) {
  const records = store.records<Binding>(bindingsNamespace)
  for (const [index, [account, keyId]] of names.entries()) {
    const name = { kind: 'response', keyId, id: `resp_${index}` }
    const model = `${account || 'gone'}-1`
    await records.set(bindingKeyOf(name), { account, model, expiresAt: Date.now() + ownedMs })
  }
}

test('a record leads to its account, key and model; of those that are deleted the ids stay', async () => {
  const store = openMemoryStore()
  await using gateway = await startAdminGateway({ store, accounts: [accounts[0]!] })
  await act(gateway, 'createAccount', accounts[1]!)
  await act(gateway, 'createKey', { id: 'team', models: ['m'] })
  await seed(store, [
    ['live', 'test'],
    ['gone', 'team'],
    ['', '@jwt:alice'],
  ])
  const read = async () => {
    const { data, errors } = await gateway.graph<{ bindings: Page<Edges> }>(query)
    expect(errors).toEqual([])
    const nodes = nodesOf(data.bindings)
    return (keyId: string) => nodes.find((node) => node.keyId === keyId)!
  }
  const before = await read()
  expect(before('test')).toEqual({
    accountId: 'live',
    keyId: 'test',
    account: { id: 'live', state: 'ENABLED' },
    key: { id: 'test', state: 'ACTIVE', models: null },
    platformModel: { name: 'live-1', available: true },
  })
  expect(before('team')).toMatchObject({
    account: { id: 'gone' },
    key: { id: 'team', state: 'ACTIVE', models: ['m'] },
    platformModel: { name: 'gone-1' },
  })
  expect(before('@jwt:alice')).toMatchObject({ accountId: null, account: null, key: null })
  await act(gateway, 'deleteAccount', { id: 'gone', reason: 'x' })
  await act(gateway, 'revokeKey', { id: 'team', reason: 'x' })
  expect((await read())('team')).toEqual({
    accountId: 'gone',
    keyId: 'team',
    account: null,
    key: { id: 'team', state: 'REVOKED', models: ['m'] },
    platformModel: null,
  })
})

test('an account that is not known while the store is away is not called deleted', async () => {
  const inner = openMemoryStore()
  const store = breakable(inner)
  await using gateway = await startAdminGateway({ store, accounts })
  await gateway.running.storedAccounts.catchUp()
  store.broken.reads = true
  await gateway.running.storedAccounts.catchUp()
  const input = '{keyId: "test", dialect: "chat", model: "live-1"}'
  const asked = `{ explain(input: ${input}) { candidates { accountId account { id } } } }`
  const { data, extensions } = await gateway.graph<{ explain: object }>(asked)
  expect(data.explain).toMatchObject({
    candidates: [{ accountId: 'live', account: { id: 'live' } }],
  })
  expect(JSON.stringify(extensions)).toContain('explain')
})

test('the keys of a page are one read of the store, however many there are', async () => {
  const inner = openMemoryStore()
  let reads = 0
  const store: Store = {
    ...inner,
    records: <T>(...parameters: Parameters<Store['records']>) => {
      const records = inner.records<T>(...parameters)
      if (parameters[0] !== 'keys') return records
      return new Proxy(records, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name)
          if (name !== 'get' && name !== 'getMany') return value
          return (...args: unknown[]) => {
            reads++
            return (value as (...args: unknown[]) => unknown).apply(target, args)
          }
        },
      })
    },
  }
  await using gateway = await startAdminGateway({ store, accounts })
  for (let index = 0; index < 40; index++) await act(gateway, 'createKey', { id: `key-${index}` })
  const names = Array.from({ length: 80 }, (_, index) => ['live', `key-${index % 40}`] as const)
  await seed(inner, names)
  reads = 0
  const { data, errors } = await gateway.graph<{ bindings: Page<Edges> }>(query, { first: 100 })
  expect(errors).toEqual([])
  const nodes = nodesOf(data.bindings)
  expect(nodes).toHaveLength(80)
  expect(nodes.every(({ key, keyId }) => key?.id === keyId)).toBe(true)
  expect(reads).toBeLessThanOrEqual(2)
})

test('a page of 50 may lead from each record to the names and states of what it names, and to no longer list', async () => {
  await using gateway = await startAdminGateway({ accounts })
  const small = `account { id state serves } key { id state team } platformModel { name available }`
  const page = (list: string, members: string) =>
    gateway.graph(`{ ${list}(first: 50) { edges { node { ${members} } } } }`)
  for (const list of ['bindings', 'jobs', 'ledger', 'recent']) {
    const { errors } = await page(list, small)
    expect([list, errors]).toEqual([list, []])
  }
  const { errors } = await page(
    'bindings',
    'platformModel { accounts(first: 100) { edges { node { accountId } } } }',
  )
  expect(errors[0]?.message).toMatch(/complexity|costs/i)
})
