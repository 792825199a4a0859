import { expect, test } from 'vitest'

import { openStore } from '../../src/stores/open.ts'
import type { Records, Store } from '../../src/stores/store.ts'
import { StoreUnavailable } from '../../src/stores/store.ts'
import { accountRecords, deleteStoredAccount } from '../../src/stores/stored-accounts.ts'
import { startAdminGateway } from './admin-gateway.ts'
import { act } from './stored-accounts.ts'

const account = {
  id: 'stored',
  provider: 'openai-compatible',
  baseUrl: 'http://127.0.0.1:9',
  models: ['m'],
}

test('no version of an account comes twice, so that an old one changes no new account', async () => {
  await using gateway = await startAdminGateway()
  const create = () => act(gateway, 'createAccount', account)
  expect(await create()).toMatchObject({ account: { version: 1 } })
  await act(gateway, 'updateAccount', { id: 'stored', weight: 2 })
  const remove = (expectedVersion: number) =>
    act(gateway, 'deleteAccount', { id: 'stored', reason: 'moved', expectedVersion })
  expect((await remove(1)).__typename).toBe('Conflict')
  expect((await remove(2)).__typename).toBe('DeleteAccountSuccess')
  expect(await create()).toMatchObject({ account: { version: 3 } })
  const stale = await act(gateway, 'updateAccount', { id: 'stored', weight: 5, expectedVersion: 2 })
  expect(stale.__typename).toBe('Conflict')
  expect((await remove(1)).__typename).toBe('Conflict')
})

test('of two operators who update an account at the same time, the later one is told, and undoes nothing', async () => {
  const store = await openStore('memory:', { cwd: '.' })
  const records = accountRecords(store)
  let meanwhile: (() => Promise<unknown>) | undefined
  const slow: Store = {
    ...store,
    records: <T>(namespace: string, options?: object) => {
      const opened = store.records<T>(namespace, options)
      const update: Records<T>['update'] = async (id, change) => {
        const other = namespace === 'accounts' ? meanwhile : undefined
        meanwhile = undefined
        await other?.()
        return opened.update(id, change)
      }
      return { ...opened, update }
    },
  }
  await using gateway = await startAdminGateway({ store: slow })
  await act(gateway, 'createAccount', account)
  meanwhile = () => act(gateway, 'updateAccount', { id: 'stored', priority: 3 })
  const later = await act(gateway, 'updateAccount', { id: 'stored', weight: 5 })
  expect(later).toMatchObject({
    __typename: 'Conflict',
    message: expect.stringContaining('has changed since it was read') as unknown,
  })
  expect(await records.get('stored')).toMatchObject({ version: 2, account: { priority: 3 } })
  expect((await records.get('stored'))?.account).not.toMatchObject({ weight: 5 })
  const again = await act(gateway, 'updateAccount', { id: 'stored', weight: 5 })
  expect(again.__typename).toBe('UpdateAccountSuccess')
  expect((await records.get('stored'))?.account).toMatchObject({ priority: 3, weight: 5 })
})

test('an account that changes while it is deleted is not deleted', async () => {
  const store = await openStore('memory:', { cwd: '.' })
  const records = accountRecords(store)
  let isChanging = false
  const changing: Store = {
    ...store,
    records: <T>(namespace: string, options?: object) => {
      const opened = store.records<T>(namespace, options)
      const deleteIf: Records<T>['deleteIf'] = async (id, matches) => {
        if (isChanging) await records.update(id, (known) => ({ ...known, version: 2 }))
        return opened.deleteIf(id, matches)
      }
      return { ...opened, deleteIf }
    },
  }
  await using gateway = await startAdminGateway({ store: changing })
  await act(gateway, 'createAccount', account)
  isChanging = true
  const input = { id: 'stored', reason: 'moved', expectedVersion: 1 }
  expect((await act(gateway, 'deleteAccount', input)).__typename).toBe('Conflict')
  expect(await records.get('stored')).toMatchObject({ version: 2 })
})

test('an account that another process deletes meanwhile leaves no version to the next of its id', async () => {
  const store = await openStore('memory:', { cwd: '.' })
  const records = accountRecords(store)
  let isDeleting = false
  let canUpdate = true
  const changing: Store = {
    ...store,
    records: <T>(namespace: string, options?: object) => {
      const opened = store.records<T>(namespace, options)
      const add: Records<T>['add'] = async (id, value, more) => {
        if (namespace === 'accounts' && isDeleting) {
          await deleteStoredAccount(store, id, (await records.get(id))!.version)
        }
        return opened.add(id, value, more)
      }
      const update: Records<T>['update'] = (id, change) => {
        if (canUpdate) return opened.update(id, change)
        return Promise.reject(new StoreUnavailable('The process was killed.'))
      }
      return { ...opened, add, update }
    },
  }
  await using gateway = await startAdminGateway({ store: changing })
  const create = () => act(gateway, 'createAccount', account)
  expect(await create()).toMatchObject({ account: { version: 1 } })
  isDeleting = true
  expect(await create()).toMatchObject({ account: { version: 2 } })
  // A process that ends after the addition has given no version twice either.
  isDeleting = false
  await deleteStoredAccount(store, 'stored', 2)
  canUpdate = false
  expect(await create()).toMatchObject({ account: { version: 3 } })
})

test('a map of models with too many levels is invalid, and no defect', async () => {
  await using gateway = await startAdminGateway()
  const query = `mutation ($input: CreateAccountInput!) { createAccount(input: $input) {
    __typename ... on Invalid { problems { path } } } }`
  const deep = `${'{"m":'.repeat(5_000)}"m"${'}'.repeat(5_000)}`
  const fields = JSON.stringify({ id: 'deep', provider: 'openai' }).slice(0, -1)
  const response = await fetch(`${gateway.adminUrl}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${gateway.token('admin')}`,
    },
    body: `{"query": ${JSON.stringify(query)}, "variables": {"input": ${fields}, "modelMap": ${deep}}}}`,
  })
  expect(await response.json()).toEqual({
    data: { createAccount: { __typename: 'Invalid', problems: [{ path: 'input' }] } },
  })
})

test('who changes what another has changed meanwhile reads it as it is now', async () => {
  await using gateway = await startAdminGateway({
    env: { DRAGOMAN_SECRET_KEY: Buffer.alloc(32, 1).toString('base64') },
  })
  const failed = async (name: string, input: object) => {
    const type = `${name[0]!.toUpperCase()}${name.slice(1)}`
    const { data, errors } = await gateway.graph<Record<string, object>>(
      `mutation ($input: ${type}Input!) { ${name}(input: $input) { __typename ... on Conflict {
        account { id version weight } key { id version } team { id name } limit { id amount }
        price { id version rates { input } } } } }`,
      { input },
    )
    expect(errors).toEqual([])
    return data[name]!
  }
  const nothing = { account: null, key: null, team: null, limit: null, price: null }
  const none = { __typename: 'Conflict', ...nothing }
  await failed('createAccount', {
    id: 'a',
    provider: 'sandbox',
    models: ['m'],
    baseUrl: 'http://127.0.0.1:9',
  })
  await failed('updateAccount', { id: 'a', weight: 7 })
  expect(await failed('updateAccount', { id: 'a', weight: 2, expectedVersion: 1 })).toEqual({
    ...none,
    account: { id: 'a', version: 2, weight: 7 },
  })
  await failed('createKey', { id: 'k' })
  await failed('updateKey', { id: 'k', explain: true })
  expect(await failed('updateKey', { id: 'k', explain: false, expectedVersion: 1 })).toEqual({
    ...none,
    key: { id: 'k', version: 2 },
  })
  await failed('createTeam', { id: 't' })
  await failed('updateTeam', { id: 't', name: 'now' })
  expect(await failed('updateTeam', { id: 't', name: 'late', expectedVersion: 1 })).toEqual({
    ...none,
    team: { id: 't', name: 'now' },
  })
  const price = { model: 'm', rates: { input: '1', output: '2' } }
  await failed('setPrice', price)
  const present = { id: 'm    STORE', version: 1, rates: { input: '1' } }
  expect(await failed('setPrice', { ...price, isFree: false, expectedVersion: 0 })).toEqual({
    ...none,
    price: present,
  })
  const removed = { model: 'm', reason: 'late', expectedVersion: 2 }
  expect(await failed('removePrice', removed)).toEqual({ ...none, price: present })
  const limit = { subject: { type: 'TEAM', id: 't' }, kind: 'REQUESTS', window: 'day' }
  await failed('setLimit', { ...limit, amount: 5 })
  expect(await failed('setLimit', { ...limit, amount: 6, expectedVersion: 0 })).toEqual({
    ...none,
    limit: { id: 'team:t:requests:day', amount: 5 },
  })
})
