import { afterEach, expect, test, vi } from 'vitest'

import { describeAccounts } from '../../src/admin/processes/describe.ts'
import { exclusionsOf } from '../../src/admin/processes/exclusions.ts'
import { startHeartbeat } from '../../src/admin/processes/heartbeat.ts'
import type { ProcessRecord } from '../../src/admin/processes/record.ts'
import type { Account } from '../../src/contract/account.ts'
import type { AccountExclusion } from '../../src/contract/call.ts'
import { run, runInTurns } from '../../src/lib/turns.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import type { Store } from '../../src/stores/store.ts'
import { breakable } from '../../src/testing/breakable-store.ts'
import { until } from '../../src/testing/until.ts'
import { type AdminGateway, startAdminGateway } from './admin-gateway.ts'
import { turnsOf } from './turns.ts'

afterEach(() => void vi.useRealTimers())

const accounts = [
  { id: 'a', provider: 'sandbox', baseUrl: 'http://127.0.0.1:9', apiKey: 'k', models: ['*'] },
]

interface Answer {
  readonly data: {
    readonly gateway: {
      readonly processesComplete: boolean
      readonly processes: { id: string; stale: boolean; loopLagMs: number; accounts: object[] }[]
    }
  }
  readonly extensions?: { readonly unanswered?: string[] }
}

const query = `{ gateway { processesComplete store { reachable }
  processes { id pid worker stale loopLagMs accounts { id exclusions { kind reason status } } } } }`

async function ask({ adminUrl, token }: AdminGateway, text = query): Promise<Answer> {
  const response = await fetch(`${adminUrl}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token('admin')}` },
    body: JSON.stringify({ query: text }),
  })
  return (await response.json()) as Answer
}

function recordsOf(store: Store) {
  return store.records<object>('processes', { listed: true })
}

/** The record of a gateway, under another id. */
async function recordLike(store: Store, gateway: AdminGateway, id: string, rest: object = {}) {
  const own = await recordsOf(store).get(gateway.services.processes.id)
  return { ...own, id, ...rest } as ProcessRecord
}

test('a heartbeat of another version of the gateway is shown as far as this one understands it', async () => {
  const store = openMemoryStore()
  await using gateway = await startAdminGateway({ store, accounts })
  const exclusion = { account: 'a', by: 'x', kind: 'exhausted', reason: 'r'.repeat(5_000) }
  const sample = { at: 0, calls: 1, failures: 0, outputs: 0, outputMs: 0, inFlight: 0 }
  const newer = {
    accounts: [{ id: 'a', inFlight: 0, calls: 0, failures: 0, exclusions: [exclusion], cost: 7 }],
    pulse: Array.from({ length: 1_000 }, () => sample),
    shards: [1, 2, 3],
  }
  await recordsOf(store).set('newer', await recordLike(store, gateway, 'newer', newer))
  await until(async () => (await ask(gateway)).data.gateway.processes.length === 2)
  const { data, extensions } = await ask(gateway)
  expect(data.gateway).toMatchObject({
    processesComplete: true,
    processes: [
      {},
      {
        id: 'newer',
        accounts: [{ exclusions: [{ kind: 'other', reason: 'r'.repeat(512), status: null }] }],
      },
    ],
  })
  expect(extensions).toBeUndefined()
})

test('a record that cannot be read is told, and hides nothing: an unknown process is no absent one', async () => {
  const store = openMemoryStore()
  await using gateway = await startAdminGateway({
    store,
    accounts,
    control: { check: async () => [], reload: async () => [] },
  })
  await recordsOf(store).set('half', { id: 'half' })
  // Numbers that GraphQL cannot answer would take the others with them.
  await recordsOf(store).set('far', await recordLike(store, gateway, 'far', { pid: 2 ** 40 }))
  await until(async () => !(await ask(gateway)).data.gateway.processesComplete)
  const { data, extensions } = await ask(gateway)
  expect(data.gateway.processes.map(({ id }) => id)).toEqual([gateway.services.processes.id])
  expect(data.gateway).toMatchObject({ store: { reachable: true } })
  expect(extensions).toEqual({ unanswered: ['far', 'half'] })
  const asked = await ask(gateway, '{ exchanges { id } recent { edges { node { id } } } }')
  expect(asked.extensions).toEqual({ unanswered: ['far', 'half'] })
  const reload =
    'mutation { reloadConfiguration(input: {}) { __typename ... on Conflict { message } } }'
  const { reloadConfiguration } = (await gateway.graph<Record<string, object>>(reload)).data
  expect(reloadConfiguration).toMatchObject({
    __typename: 'Conflict',
    message: expect.stringContaining('far, half') as string,
  })
})

test('500 processes that were killed are shown; of endless records a bounded part is read', async () => {
  const store = openMemoryStore()
  await using gateway = await startAdminGateway({ store, accounts })
  const killed = await recordLike(store, gateway, 'x')
  for (let number = 0; number < 500; number++) {
    await recordsOf(store).set(`k-${number}`, { ...killed, id: `k-${number}` })
  }
  await until(async () => (await ask(gateway)).data.gateway.processes.length === 501)
  expect((await ask(gateway)).data.gateway.processesComplete).toBe(true)

  for (let number = 0; number < 3_000; number++) await recordsOf(store).set(`junk-${number}`, {})
  let reads = 0
  const counting: Pick<Store, 'records'> = {
    records: (name, options) => {
      const records = store.records(name, options)
      return { ...records, list: (page: object) => (reads++, records.list(page)) } as never
    },
  }
  const heartbeat = startHeartbeat({
    store: counting,
    now: Date.now,
    describe: () => killed,
    onStore: () => {},
  })
  expect((await heartbeat.view()).isComplete).toBe(false)
  expect(reads).toBeLessThanOrEqual(64)
  await heartbeat.close()
})

test('a process is judged by when it is heard, not by its own clock', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const memory = openMemoryStore()
  const store = breakable(memory)
  await using gateway = await startAdminGateway({ store: memory, accounts })
  const hour = 60 * 60_000
  const at = Date.now()
  const heartbeat = startHeartbeat({
    store,
    now: Date.now,
    describe: () => own,
    onStore: () => {},
  })
  const own = await recordLike(memory, gateway, 'own')
  const sample = { calls: 1, failures: 0, outputs: 0, outputMs: 0, inFlight: 0 }
  const clocks = { behind: at - 3 * hour, ahead: at + 3 * hour }
  for (const [id, clock] of Object.entries(clocks)) {
    const pulse = [{ at: clock - (clock % 5_000) - 5_000, ...sample }]
    await recordsOf(memory).set(id, await recordLike(memory, gateway, id, { at: clock, pulse }))
  }
  const others = async (afresh = true) =>
    (await heartbeat.view({ afresh })).processes.filter(({ id }) => id in clocks)
  expect((await others()).map(({ id, isStale }) => [id, isStale])).toEqual([
    ['ahead', false],
    ['behind', false],
  ])
  // Both have counted five seconds ago.
  for (const { pulse } of await others()) expect(Math.abs(pulse[0]!.at - at)).toBeLessThan(15_000)

  store.broken.reads = true
  expect((await others()).map(({ isStale }) => isStale)).toEqual([true, true])
  store.broken.reads = false
  // Records without an end, of processes that write no more.
  vi.advanceTimersByTime(11_000)
  expect((await others()).map(({ isStale }) => isStale)).toEqual([true, true])
  const { behind } = clocks
  await recordsOf(memory).set(
    'behind',
    await recordLike(memory, gateway, 'behind', { at: behind + 1 }),
  )
  expect((await others()).map(({ id, isStale }) => [id, isStale])).toEqual([
    ['ahead', true],
    ['behind', false],
  ])
  await heartbeat.close()
})

test('a heartbeat is small, whatever plugins say, and counts the accounts that it leaves out', () => {
  const account = (id: string) => ({ id }) as Account
  const all = Array.from({ length: 300 }, (_, index) => account(`account-${index}`))
  const wordy = {
    name: 'wordy',
    exclusions: (asked: readonly Account[]) =>
      asked.flatMap(({ id }) =>
        Array.from({ length: 20 }, () => ({
          account: id,
          by: 'wordy',
          kind: 'other' as const,
          reason: 'x'.repeat(100_000),
          secret: 'canary',
        })),
      ),
  }
  const found = run(exclusionsOf([wordy], all))
  const monitor = { inFlight: [], accounts: new Map([['used', { calls: 1, failures: 0 }]]) }
  const { accounts: shown, moreAccounts, moreInTrouble } = describeAccounts(monitor, found)
  const text = JSON.stringify(shown)
  expect(text.length).toBeLessThanOrEqual(140_000)
  expect(text).not.toContain('canary')
  expect(shown.length).toBeGreaterThan(0)
  expect(shown.length + moreAccounts).toBe(301)
  expect(shown.length + moreInTrouble).toBe(300)
  const brief: AccountExclusion = { account: 'account-0', by: 'x', kind: 'other', reason: 'r' }
  const part = describeAccounts(
    monitor,
    run(exclusionsOf([{ name: 'brief', exclusions: () => [brief] }], all)),
  )
  expect(part).toMatchObject({ moreAccounts: 0, moreInTrouble: 0 })
  expect(part.accounts).toHaveLength(2)
})

test('a heartbeat has the gravest exclusions of an account: a circuit of one key before models that cool down', () => {
  const cause = { account: 'a', by: 'x', reason: 'r' }
  const models = Array.from({ length: 12 }, (_, index) => `model-${index}`)
  const plugin = {
    name: 'x',
    exclusions: (): AccountExclusion[] => [
      ...models.map((model) => ({ ...cause, kind: 'cooling' as const, model })),
      { ...cause, kind: 'circuit', dialect: 'chat', keyId: 'k', isProbing: true },
      { ...cause, kind: 'circuit', dialect: 'responses' },
    ],
  }
  const found = run(exclusionsOf([plugin], [{ id: 'a' } as Account]))
  const { accounts: shown } = describeAccounts({ inFlight: [], accounts: new Map() }, found)
  expect(shown).toMatchObject([{ id: 'a', moreExclusions: 4 }])
  expect(shown[0]!.exclusions.map(({ dialect, model }) => dialect ?? model)).toEqual([
    'responses',
    'chat',
    ...models.slice(0, 8),
  ])
})

test('a look at accounts of which callers have made thousands of models cool down takes short turns', async () => {
  const accounts = Array.from({ length: 200 }, (_, index) => ({ id: `a-${index}` }) as Account)
  let read = 0
  const coolDown = (account: string, model: string): AccountExclusion => ({
    account,
    by: 'x',
    kind: 'cooling',
    get reason() {
      read++
      return 'cooling down'
    },
    model,
  })
  const asked: number[] = []
  const plugin = {
    name: 'x',
    exclusions(some: readonly Account[]) {
      asked.push(some.length)
      return some.flatMap(({ id }) =>
        Array.from({ length: 99 }, (_, index) => coolDown(id, `model-${index}`)),
      )
    },
  }
  let found: ReturnType<typeof describeAccounts> | undefined
  const turns = await turnsOf(async () => {
    const exclusions = await runInTurns(exclusionsOf([plugin], accounts))
    found = describeAccounts({ inFlight: [], accounts: new Map() }, exclusions)
  })
  expect(turns).toBeGreaterThanOrEqual(20)
  expect(Math.max(...asked)).toBeLessThan(20)
  // Only those that are shown are copied.
  expect(read).toBe(200 * 10)
  expect(found?.accounts[0]).toMatchObject({ id: 'a-0', moreExclusions: 89 })
  expect(found?.accounts[0]?.exclusions.map(({ model }) => model)).toEqual(
    Array.from({ length: 10 }, (_, index) => `model-${index}`),
  )
})

test('a plugin that names all accounts at each question counts once for each', () => {
  const all = Array.from({ length: 40 }, (_, index) => ({ id: `a-${index}` }) as Account)
  const heedless = {
    name: 'heedless',
    exclusions: () =>
      all.map(({ id }) => ({ account: id, by: 'x', kind: 'other' as const, reason: 'r' })),
  }
  const found = [...run(exclusionsOf([heedless], all)).values()]
  expect(found).toHaveLength(40)
  expect(found.every((one) => one.exclusions.length === 1 && one.moreExclusions === 0)).toBe(true)
})

test('the causes of an account that a record has no room for are told', async () => {
  const store = openMemoryStore()
  await using gateway = await startAdminGateway({ store, accounts })
  const cause = { account: 'a', by: 'x', kind: 'cooling', reason: 'r' }
  const causes = Array.from({ length: 10 }, (_, index) => ({ ...cause, model: `m-${index}` }))
  const write = async (rest: object) => {
    const shown = { id: 'a', inFlight: 0, calls: 0, failures: 0, exclusions: causes, ...rest }
    await recordsOf(store).set(
      'far',
      await recordLike(store, gateway, 'far', { accounts: [shown] }),
    )
  }
  const says = async () =>
    (await gateway.graph('{ account(id: "a") { coolDowns { model } } }', {}, 'viewer')).extensions
  const sign = JSON.stringify({ incomplete: ['far'] })
  // Of an earlier version, which cuts lists off without a sign.
  await write({})
  await until(async () => JSON.stringify(await says()) === sign)
  await write({ moreExclusions: 0 })
  await until(async () => JSON.stringify(await says()) === '{}')
  await write({ moreExclusions: 1 })
  await until(async () => JSON.stringify(await says()) === sign)
})

test('the delay of the event loop is shown to all who ask, not to the first alone', async () => {
  await using gateway = await startAdminGateway({ accounts })
  await until(async () => (await ask(gateway)).data.gateway.processes.length === 1)
  const end = performance.now() + 600
  while (performance.now() < end);
  await until(async () => (await ask(gateway)).data.gateway.processes[0]!.loopLagMs > 300)
  for (let asked = 0; asked < 3; asked++) {
    // Each question has the process describe itself again.
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect((await ask(gateway)).data.gateway.processes[0]!.loopLagMs).toBeGreaterThan(300)
  }
})

test('accounts in trouble that a record has no room for do not look enabled without a sign', async () => {
  const store = openMemoryStore()
  const [first] = accounts
  await using gateway = await startAdminGateway({
    store,
    accounts: [first!, { ...first!, id: 'b' }],
  })
  const exclusion = { account: 'a', by: 'x', kind: 'cooling', reason: 'r' }
  const shown = { id: 'a', inFlight: 0, calls: 0, failures: 0, exclusions: [exclusion] }
  const write = async (rest: object) =>
    recordsOf(store).set(
      'far',
      await recordLike(store, gateway, 'far', { accounts: [shown], moreAccounts: 9, ...rest }),
    )
  await write({ moreInTrouble: 3 })
  await until(async () => (await ask(gateway)).data.gateway.processes.length === 2)
  const read = (text: string) => gateway.graph(text, {}, 'viewer')
  const sign = { incomplete: ['far'] }
  expect(await read('{ account(id: "a") { state } }')).toMatchObject({
    data: { account: { state: 'cooling' } },
    extensions: {},
  })
  expect(await read('{ account(id: "b") { state } }')).toMatchObject({
    data: { account: { state: 'enabled' } },
    extensions: sign,
  })
  // It may know of accounts that this page lacks.
  const refused = await read('{ accounts(filter: {state: "refused"}) { edges { node { id } } } }')
  expect(refused).toMatchObject({ data: { accounts: { edges: [] } }, extensions: sign })
  expect(await read('{ gateway { processes { moreInTrouble } } }')).toMatchObject({
    data: { gateway: { processes: [{ moreInTrouble: 0 }, { moreInTrouble: 3 }] } },
  })
  const probe = JSON.stringify(await gateway.running.health.everywhere?.())
  expect(probe).toContain('"more_in_trouble":3')
  // The others that it leaves out are in use.
  await write({ moreInTrouble: 0 })
  await until(async () => {
    const { extensions } = await read('{ account(id: "b") { state } }')
    return Object.keys(extensions).length === 0
  })
  // Of an earlier version, which counts both as one.
  await write({ moreInTrouble: undefined })
  await until(async () => {
    const { extensions } = await read('{ account(id: "b") { state } }')
    return JSON.stringify(extensions) === JSON.stringify(sign)
  })
})
