import { expect, test, vi } from 'vitest'

import { listAccounts } from '../../src/admin/accounts/find.ts'
import { settingsBelow } from '../../src/configuration/with-store.ts'
import { explainInput } from '../../src/admin/explain.ts'
import {
  type CheckedConfiguration,
  checkReloadedConfiguration,
} from '../../src/configuration/resolve.ts'
import { setEnabled } from '../../src/stores/operator-states.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { accountRecords } from '../../src/stores/stored-accounts.ts'
import { startAdminGateway } from './admin-gateway.ts'
import { turnsOf } from './turns.ts'

const count = 200

const names = Array.from({ length: count }, (_, index) => `a-${String(index).padStart(3, '0')}`)

const accounts = names.map((id, index) => ({
  id,
  provider: index % 2 === 0 ? 'openai' : 'anthropic',
  apiKey: 'k',
  models: ['shared', `own-${id}`],
}))

test('a filter that few of many accounts pass examines them in parts, in the order of their ids', async () => {
  const many = Array.from({ length: 1_700 }, (_, index) => ({
    ...accounts[0]!,
    id: `m-${String(index).padStart(4, '0')}`,
    enabled: index !== 1_650,
  }))
  await using gateway = await startAdminGateway({ accounts: many })
  const { services } = gateway
  const page = { limit: 5, after: undefined }
  const ids = async (asked: object) =>
    (await listAccounts(services, { ...page, ...asked })).map(({ id }) => id)
  expect(await ids({ state: 'DISABLED' })).toEqual(['m-1650'])
  expect(await ids({ provider: 'anthropic' })).toEqual([])
  expect(await ids({ after: 'm-1697', provider: 'openai' })).toEqual(['m-1698', 'm-1699'])
  expect(await ids({ after: 'm-1650', state: 'DISABLED' })).toEqual([])
})

test('credentials that move while many stored accounts are read are read in their new places', async () => {
  const store = openMemoryStore()
  const env = { DRAGOMAN_ACCOUNT_FIRST: 'first', DRAGOMAN_SECRET_KEY: 'x'.repeat(32) }
  await using gateway = await startAdminGateway({ store, env })
  const at = Date.now()
  const credential = { changedAt: at, reference: 'env:DRAGOMAN_ACCOUNT_FIRST' }
  const value = { version: 1, createdAt: at, changedAt: at, credential }
  await accountRecords(store).setMany(
    accounts.map(({ apiKey: _apiKey, ...account }) => ({
      id: account.id,
      value: { ...value, account },
    })),
  )
  const { storedAccounts } = gateway.running
  const problems = () => storedAccounts.accounts.filter((one) => one.problems.length > 0).length
  await turnsOf(async () => {
    const reading = storedAccounts.catchUp()
    for (let turn = 0; turn < 1.5 * count; turn++) await new Promise(setImmediate)
    storedAccounts.readCredentials({ permits: () => false, forbidden: [] })
    await reading
  })
  expect([storedAccounts.accounts.length, problems()]).toEqual([count, count])
})

test('after a reload, the settings of many accounts are described and hashed in short turns', async () => {
  await using gateway = await startAdminGateway({ accounts })
  const { configuration } = gateway.services
  const sectionOf = (section: string) =>
    settingsBelow(configuration, gateway.running.accounts.snapshot, section)
  const before = await configuration.hash()
  const { length } = await sectionOf('')
  // Those of the start and of the reload are looked at, and the result is hashed.
  expect(await turnsOf(() => gateway.reload({}))).toBeGreaterThan(2.7 * length)
  // No page after it waits.
  expect(await turnsOf(() => configuration.hash())).toBeLessThan(count)
  expect(await configuration.hash()).toBe(before)
  // A setting that an operator has changed is merged.
  await setEnabled(gateway.running.store, 'account', 'a-003', false)
  await gateway.running.accountStates.catchUp()
  expect(await sectionOf('accounts[3]')).toContainEqual({
    path: 'accounts[3].enabled',
    value: false,
    origin: 'STORE',
  })
})

test('a reload checks and compiles many accounts in short turns, and then only replaces them', async () => {
  await using gateway = await startAdminGateway()
  const { running } = gateway
  const checked: CheckedConfiguration[] = []
  const checking = async () =>
    void checked.push(await checkReloadedConfiguration({ accounts }, { env: {} }))
  expect(await turnsOf(checking)).toBeGreaterThanOrEqual(count)
  const [{ settings }] = checked as [CheckedConfiguration]
  expect(await turnsOf(() => running.prepare(settings))).toBeGreaterThanOrEqual(count)
  expect(running.accounts.snapshot.accounts).toEqual([])
  const parsed = vi.spyOn(URL, 'parse')
  running.configure(settings)
  const addresses = parsed.mock.calls.length
  parsed.mockRestore()
  expect(addresses).toBe(0)
  expect(running.accounts.snapshot.accounts).toHaveLength(count)
  // Accounts that are the same stay the same objects, which their circuits are kept by.
  const before = running.accounts.snapshot.accounts
  const { settings: again } = await checkReloadedConfiguration({ accounts }, { env: {} })
  await running.prepare(again)
  running.configure(again)
  expect(running.accounts.snapshot.accounts.every((one, index) => one === before[index])).toBe(true)
})

/** Counts how often a list is made of half of the accounts or more. */
function countVisits(): { readonly count: number } & Disposable {
  let visits = 0
  const spies = (['toSorted', 'filter', 'map'] as const).map((name) => {
    const method = Array.prototype[name] as (...given: unknown[]) => unknown[]
    return vi.spyOn(Array.prototype, name).mockImplementation(function (
      this: unknown[],
      ...given: unknown[]
    ) {
      // The length now: some lists become shorter later.
      if (this.length >= count / 2) visits++
      return method.apply(this, given)
    })
  })
  return {
    get count() {
      return visits
    },
    [Symbol.dispose]() {
      for (const spy of spies) spy.mockRestore()
    },
  }
}

test('a dry run that many accounts decline visits all of them only a few times', async () => {
  await using gateway = await startAdminGateway({ accounts })
  using visits = countVisits()
  const explanation = await explainInput(gateway.services, {
    keyId: 'test',
    dialect: 'generate',
    model: 'shared',
    body: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }], tools: [{ googleMaps: {} }] },
  })
  expect(explanation.excluded).toHaveLength(count)
  expect(visits.count).toBeLessThan(count / 10)
})
