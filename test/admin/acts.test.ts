import { expect, test } from 'vitest'

import { openMemoryStore } from '../../src/stores/memory.ts'
import type { Records, Store } from '../../src/stores/store.ts'
import { StoreUnavailable } from '../../src/stores/store.ts'
import { type Page, nodesOf, startAdminGateway } from './admin-gateway.ts'

const accounts = [
  { id: 'one', provider: 'sandbox', baseUrl: 'http://127.0.0.1:9', apiKey: 'x', models: ['m'] },
]

/** A store in memory that fails the writes of audit records from one number on. */
function storeThatForgets(): { store: Store; fails: { from: number } } {
  const store = openMemoryStore()
  const fails = { from: Infinity }
  let writes = 0
  const records: Store['records'] = <T>(namespace: string, options?: { listed?: boolean }) => {
    const opened = store.records<T>(namespace, options)
    if (namespace !== 'audit') return opened
    const set: Records<T>['set'] = async (...parameters) => {
      if (++writes >= fails.from) throw new StoreUnavailable('It is broken on purpose.')
      await opened.set(...parameters)
    }
    return { ...opened, set }
  }
  return { store: { ...store, records }, fails }
}

const disable = `mutation { disableAccount(input: {id: "one", reason: "broken"}) {
  __typename ... on StoreUnavailable { message } } }`
const state = `{ account(id: "one") { enabled } audit { edges { node { result } } } }`

interface State {
  readonly account: { readonly enabled: boolean }
  readonly audit: Page<{ readonly result: string }>
}

test('an act whose record cannot be written does not happen', async () => {
  const { store, fails } = storeThatForgets()
  await using gateway = await startAdminGateway({ accounts, store })
  fails.from = 1
  const { data } = await gateway.graph<{ disableAccount: { __typename: string } }>(disable)
  expect(data.disableAccount.__typename).toBe('StoreUnavailable')
  // The states are followed, so that a change would be known in a moment.
  expect(await store.records('account-states', { listed: true }).list()).toEqual([])
  expect((await gateway.graph<State>(state)).data.account.enabled).toBe(true)
})

test('an act whose result cannot be written has the record of its beginning', async () => {
  const { store, fails } = storeThatForgets()
  await using gateway = await startAdminGateway({ accounts, store })
  fails.from = 2
  const { data } = await gateway.graph<{
    disableAccount: { __typename: string; message: string }
  }>(disable)
  expect(data.disableAccount).toEqual({
    __typename: 'StoreUnavailable',
    message: 'The act is done, but the store has no record of its result.',
  })
  const now = await gateway.graph<State>(state)
  expect(nodesOf(now.data.audit)).toEqual([{ result: 'STARTED' }])
})

/** A store in memory whose states of accounts have a defect. */
function defectiveStore(): Store {
  const store = openMemoryStore()
  const records: Store['records'] = <T>(namespace: string, options?: { listed?: boolean }) => {
    const opened = store.records<T>(namespace, options)
    const set = () => Promise.reject(new TypeError('canary'))
    return namespace === 'account-states' ? { ...opened, set } : opened
  }
  return { ...store, records }
}

test('an act that fails with a defect has a record that says so, without the text of the defect', async () => {
  await using gateway = await startAdminGateway({ accounts, store: defectiveStore() })
  const { errors } = await gateway.graph(disable)
  expect(errors).toHaveLength(1)
  const audit = '{ audit { edges { node { result message } } } }'
  const { data } = await gateway.graph<{ audit: Page<object> }>(audit)
  expect(nodesOf(data.audit)).toEqual([
    { result: 'FAILED', message: 'It failed with a defect; the change may have been made.' },
  ])
})
