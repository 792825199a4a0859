import { expect, test, vi } from 'vitest'

import { findAccount, listAccounts } from '../../src/admin/accounts/find.ts'
import { settingsBelow } from '../../src/configuration/with-store.ts'
import { listProcesses, processRecords } from '../../src/admin/processes/record.ts'
import { explainInput } from '../../src/admin/explain.ts'
import type { Snapshot } from '../../src/contract/candidate.ts'
import { definePlugin } from '../../src/contract/plugin.ts'
import {
  type CheckedConfiguration,
  checkConfigurationInTurns,
} from '../../src/configuration/resolve.ts'
import { followAccountStates, setAccountEnabled } from '../../src/stores/account-states.ts'
import { createAdminToken } from '../../src/stores/admin-tokens.ts'
import { createKey } from '../../src/stores/keys.ts'
import { listAll } from '../../src/stores/list-all.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { accountRecords } from '../../src/stores/stored-accounts.ts'
import { type AdminGateway, startAdminGateway } from './admin-gateway.ts'
import { turnsOf } from './turns.ts'

const count = 200

const names = Array.from({ length: count }, (_, index) => `a-${String(index).padStart(3, '0')}`)

const accounts = names.map((id, index) => ({
  id,
  provider: index % 2 === 0 ? 'openai' : 'anthropic',
  apiKey: 'k',
  models: ['shared', `own-${id}`],
}))

/** Gives the accounts of the gateway a snapshot that no operator has read. */
function replaceSnapshot({ running }: AdminGateway): Snapshot {
  const { snapshot } = running.accounts
  const fresh = { ...snapshot }
  vi.spyOn(running.accounts, 'snapshot', 'get').mockReturnValue(fresh)
  return fresh
}

test('a list of many accounts, and one of them, stop no stream: all are read in short turns', async () => {
  await using gateway = await startAdminGateway({ accounts })
  const { services } = gateway
  replaceSnapshot(gateway)
  expect(await turnsOf(() => findAccount(services, 'a-007'))).toBeGreaterThan(count)
  const page = { after: undefined, limit: 10 }
  // By now they are known.
  expect(await turnsOf(() => listAccounts(services, page))).toBeLessThan(count)
  replaceSnapshot(gateway)
  const lists = () => [listAccounts(services, page), listAccounts(services, page)]
  expect(await turnsOf(() => Promise.all(lists()))).toBeLessThan(2 * 2 * count)
  const [one, other] = await Promise.all(lists())
  // Both have read the same.
  expect(one?.map(({ id }) => id)).toEqual(names.slice(0, 10))
  expect(one?.every((view, index) => view === other?.[index])).toBe(true)
})

test('a filter that few of many accounts pass examines them in parts, in the order of their ids', async () => {
  const many = Array.from({ length: 1_700 }, (_, index) => ({
    ...accounts[0]!,
    id: `m-${String(index).padStart(4, '0')}`,
    enabled: index !== 1_650,
  }))
  const { asked, plugin } = askedPlugin()
  await using gateway = await startAdminGateway({ accounts: many, plugins: [plugin] })
  const { services } = gateway
  await findAccount(services, 'm-0000')
  const page = { limit: 5, after: undefined }
  const turns = await turnsOf(async () => {
    const found = await listAccounts(services, { ...page, state: 'disabled' })
    expect(found.map(({ id }) => id)).toEqual(['m-1650'])
  })
  expect(turns).toBeGreaterThan(1_650 / 10)
  // Each of them may have thousands of exclusions.
  expect(asked.mostAccounts).toBe(8)
  const ids = async (asked: object) =>
    (await listAccounts(services, { ...page, ...asked })).map(({ id }) => id)
  expect(await ids({ provider: 'anthropic' })).toEqual([])
  expect(await ids({ after: 'm-1697', provider: 'openai' })).toEqual(['m-1698', 'm-1699'])
  expect(await ids({ after: 'm-1650', state: 'disabled' })).toEqual([])
})

/** A plugin that notes of how many accounts, and how often in one turn, it is asked. */
function askedPlugin() {
  const asked = { mostAccounts: 0, mostInTurn: 0 }
  let inTurn = 0
  const exclusions = (some: readonly object[]) => {
    asked.mostAccounts = Math.max(asked.mostAccounts, some.length)
    asked.mostInTurn = Math.max(asked.mostInTurn, ++inTurn)
    setImmediate(() => (inTurn = 0))
    return []
  }
  return { asked, plugin: definePlugin({ name: 'asked', exclusions }) }
}

test('what keeps the accounts of a page out is read in short turns', async () => {
  const { asked, plugin } = askedPlugin()
  await using gateway = await startAdminGateway({ accounts, plugins: [plugin] })
  await findAccount(gateway.services, 'a-000')
  const page = async () => {
    const query = '{ accounts(first: 100) { edges { node { state exclusions { reason } } } } }'
    expect((await gateway.graph<object>(query)).errors).toEqual([])
  }
  // By the clock of `turnsOf`, every view of the processes is out of date.
  const { processes } = gateway.services
  vi.spyOn(processes, 'view').mockResolvedValue(await processes.view())
  asked.mostInTurn = 0
  expect(await turnsOf(page)).toBeGreaterThan(200)
  expect(asked.mostInTurn).toBeLessThan(10)
})

test('a change of one of many stored accounts is read in short turns', async () => {
  const store = openMemoryStore()
  await using gateway = await startAdminGateway({ store })
  const records = accountRecords(store)
  const at = Date.now()
  await records.setMany(
    accounts.map(({ apiKey: _apiKey, ...account }) => ({
      id: account.id,
      value: { version: 1, createdAt: at, changedAt: at, account },
    })),
  )
  expect(await turnsOf(() => listAll(records))).toBeGreaterThan(count)
  const { storedAccounts } = gateway.running
  // A read may be under way since the records were written.
  await storedAccounts.catchUp()
  await records.update('a-000', (known) => ({ ...known, version: 2 }))
  expect(await turnsOf(() => storedAccounts.catchUp())).toBeGreaterThan(2.5 * count)
  expect((await findAccount(gateway.services, 'a-000'))?.version).toBe(2)
})

test('credentials that move while many stored accounts are read are read in their new places', async () => {
  const store = openMemoryStore()
  const env = { FIRST_API_KEY: 'first', DRAGOMAN_SECRET_KEY: 'x'.repeat(32) }
  await using gateway = await startAdminGateway({ store, env })
  const at = Date.now()
  const credential = { changedAt: at, reference: 'env:FIRST_API_KEY' }
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
    storedAccounts.readCredentials({ permits: () => false })
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
  // Those of the start and of the reload are looked at, and the result is hashed and sorted into sections.
  expect(await turnsOf(() => gateway.reload({}))).toBeGreaterThan(3.7 * length)
  // No page after it waits.
  expect(await turnsOf(() => configuration.hash())).toBeLessThan(count)
  expect(await configuration.hash()).toBe(before)
  // Those that an operator has changed are merged.
  await setAccountEnabled(gateway.running.store, 'a-003', false)
  await gateway.running.accountStates.catchUp()
  expect(await turnsOf(() => sectionOf(''))).toBeGreaterThan(length)
  // A section of few settings is found without a look at all of them.
  const found: Awaited<ReturnType<typeof sectionOf>>[] = []
  const finding = async () => void found.push(await sectionOf('accounts[3]'))
  expect(await turnsOf(finding)).toBeLessThan(count)
  expect(found[0]).toContainEqual({
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
    void checked.push(await checkConfigurationInTurns({ accounts }, { env: {} }))
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
  const { settings: again } = await checkConfigurationInTurns({ accounts }, { env: {} })
  await running.prepare(again)
  running.configure(again)
  expect(running.accounts.snapshot.accounts.every((one, index) => one === before[index])).toBe(true)
})

test('many keys, admin tokens and states of accounts in the store are read in short turns', async () => {
  const store = openMemoryStore()
  await using gateway = await startAdminGateway({ store, accounts })
  const { running, services } = gateway
  for (const id of names) {
    await createKey(store, { id, models: ['m'] })
    await createAdminToken(store, { id, role: 'viewer', createdBy: 'test' })
    await setAccountEnabled(store, id, false)
  }
  // Those of the gateway compile accounts after it, in further turns.
  const states = await followAccountStates({ store, onError: () => {} })
  const all = [running.keys, services.tokens, states]
  for (const [index, followed] of all.entries()) {
    // A read may be under way since the records were written.
    await followed.catchUp()
    const id = `late-${index}`
    await createKey(store, { id, models: ['m'] })
    await createAdminToken(store, { id, role: 'viewer', createdBy: 'test' })
    await setAccountEnabled(store, id, false)
    const read = () => followed.catchUp()
    // A turn for each record as it is listed, and one as it is read.
    expect(await turnsOf(read)).toBeGreaterThan(1.8 * count)
  }
  expect(running.keys.get('a-007')).toMatchObject({ id: 'a-007', disabled: false })
  expect(services.tokens.find('a-007')).toMatchObject({ role: 'viewer' })
  expect(states.disabled.size).toBe(count + all.length)
  states.close()
})

test('heartbeats of many processes are read one in a turn', async () => {
  const store = openMemoryStore()
  await using gateway = await startAdminGateway({ store, accounts })
  const records = processRecords(store)
  const own = (await records.get(gateway.services.processes.id))!
  const ids = names.slice(0, 40)
  for (const id of ids) await records.set(id, { ...own, id })
  const reading = () => listProcesses(records)
  // A turn for the text of each record, and one for its content.
  expect(await turnsOf(reading)).toBeGreaterThan(2 * ids.length)
  expect((await reading()).processes).toHaveLength(1 + ids.length)
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
