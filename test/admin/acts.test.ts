import { expect, test } from 'vitest'

import { createKey } from '../../src/stores/keys.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { type Records, type Store, StoreUnavailable } from '../../src/stores/store.ts'
import { breakable } from '../../src/testing/breakable-store.ts'
import { type Page, nodesOf, startAdminGateway } from './admin-gateway.ts'

const unrecorded = (field: string) => ({
  incomplete: [{ field, reason: 'The audit log lacks the result of this act.' }],
})

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

test('an act whose result cannot be written is answered as done, and says that its record lacks it', async () => {
  const { store, fails } = storeThatForgets()
  await using gateway = await startAdminGateway({ accounts, store })
  fails.from = 2
  const answer = await gateway.graph<{ disableAccount: object }>(disable)
  expect(answer.data.disableAccount).toEqual({ __typename: 'DisableAccountSuccess' })
  expect(answer.extensions).toEqual(unrecorded('disableAccount'))
  expect(gateway.log).toContainEqual(
    expect.objectContaining({
      level: 'error',
      msg: 'the result of an act is not in the audit log',
      action: 'account.disable',
    }),
  )
  const now = await gateway.graph<State>(state)
  expect(nodesOf(now.data.audit)).toEqual([{ result: 'STARTED' }])
  expect(now.extensions).toEqual({})
})

interface Issued {
  readonly issued: { readonly __typename: string; readonly secret: string }
}

/** Acts whose answers alone have a new secret. */
const issuing = {
  createKey: ['createKey(input: {id: "new"})', 'keys'],
  rotateKey: ['rotateKey(input: {id: "old", reason: "leaked"})', 'keys'],
  createAdminToken: ['createAdminToken(input: {id: "new", role: VIEWER})', 'admin-tokens'],
} as const

/** A store that fails altogether as soon as it has written a record of a namespace. */
function storeThatFailsAfter(namespace: string) {
  const inner = openMemoryStore()
  const store = breakable(inner)
  const armed = { is: false }
  const records: Store['records'] = <T>(name: string, options?: { listed?: boolean }) => {
    const opened = store.records<T>(name, options)
    if (name !== namespace) return opened
    const breaking = <Result>(written: Promise<Result>) =>
      written.finally(() => {
        if (armed.is) Object.assign(store.broken, { reads: true, writes: true })
      })
    const parts: Pick<Records<T>, 'add' | 'update'> = {
      add: (...parameters) => breaking(opened.add(...parameters)),
      update: (...parameters) => breaking(opened.update(...parameters)),
    }
    return new Proxy(opened, {
      get: (target, name) => Reflect.get(name in parts ? parts : target, name) as unknown,
    })
  }
  return { store: { ...store, records }, broken: store.broken, inner, armed }
}

test.each(Object.entries(issuing))(
  'the secret of %s is not lost with a store that fails once it has written it',
  async (name, [act, namespace]) => {
    const { store, broken, inner, armed } = storeThatFailsAfter(namespace)
    await createKey(inner, { id: 'old' })
    await using gateway = await startAdminGateway({ store })
    armed.is = true
    const success = `${name[0]!.toUpperCase()}${name.slice(1)}Success`
    const { data, extensions } = await gateway.graph<Issued>(
      `mutation { issued: ${act} { __typename ... on ${success} { secret } } }`,
    )
    expect(data.issued.secret).toMatch(/^dg[am]_[\w-]{43}$/)
    expect(extensions).toEqual(unrecorded(name))
    expect(JSON.stringify(gateway.log)).not.toContain(data.issued.secret)
    armed.is = false
    Object.assign(broken, { reads: false, writes: false })
    const [url, path] = name.endsWith('Key')
      ? [gateway.url, '/v1/models']
      : [gateway.adminUrl, '/session']
    await expect
      .poll(() => statusWith(url + path, data.issued.secret), { timeout: 5_000 })
      .toBe(200)
    const { data: now } = await gateway.graph<State>('{ audit { edges { node { result } } } }')
    expect(nodesOf(now.audit)).toEqual([{ result: 'STARTED' }])
  },
)

async function statusWith(url: string, secret: string): Promise<number> {
  return (await fetch(url, { headers: { authorization: `Bearer ${secret}` } })).status
}

/** A store in memory whose states of an account have a defect. */
function defectiveStore(id: string): Store {
  const store = openMemoryStore()
  const records: Store['records'] = <T>(namespace: string, options?: { listed?: boolean }) => {
    const opened = store.records<T>(namespace, options)
    const set: Records<T>['set'] = (key, ...others) =>
      key === id ? Promise.reject(new TypeError('canary')) : opened.set(key, ...others)
    return namespace === 'account-states' ? { ...opened, set } : opened
  }
  return { ...store, records }
}

test('an act that fails with a defect has a record that says so, without the text of the defect', async () => {
  await using gateway = await startAdminGateway({ accounts, store: defectiveStore('one') })
  const { errors } = await gateway.graph(disable)
  expect(errors).toHaveLength(1)
  const audit = '{ audit { edges { node { result message } } } }'
  const { data } = await gateway.graph<{ audit: Page<object> }>(audit)
  expect(nodesOf(data.audit)).toEqual([
    { result: 'FAILED', message: 'It failed with a defect; the change may have been made.' },
  ])
})

/** Two acts of which the first is done. */
const pairOf = (second: string) => `mutation {
  done: disableAccount(input: {id: "one", reason: "x"}) { __typename }
  other: ${second} { __typename }
  last: enableAccount(input: {id: "one"}) { __typename } }`

test('an act that is refused or fails with a defect takes the answers of no other act', async () => {
  const two = { ...accounts[0]!, id: 'two' }
  const store = defectiveStore('two')
  await using gateway = await startAdminGateway({ accounts: [...accounts, two], store })
  const refused = pairOf('createKey(input: {id: "b"})')
  const defective = pairOf('disableAccount(input: {id: "two", reason: "x"})')
  const done = { __typename: 'DisableAccountSuccess' }
  for (const [pair, code] of [
    [refused, 'FORBIDDEN'],
    [defective, 'INTERNAL_SERVER_ERROR'],
  ] as const) {
    const { data, errors } = await gateway.graph<Record<string, object>>(pair, {}, 'operator')
    expect(data).toEqual({ done, other: null, last: { __typename: 'EnableAccountSuccess' } })
    expect(errors.map(({ path, extensions }) => [path, extensions?.code])).toEqual([
      [['other'], code],
    ])
  }
})
