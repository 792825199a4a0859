import { afterEach, expect, test, vi } from 'vitest'

import { describeAccounts } from '../../src/admin/processes/cluster-view.ts'
import { exclusionsOf } from '../../src/admin/processes/exclusions.ts'
import { type Monitor, createMonitor } from '../../src/admin/processes/monitor.ts'
import { type ProcessRecord, startPresence } from '../../src/admin/processes/presence.ts'
import type { Account } from '../../src/contract/account.ts'
import type { AccountExclusion } from '../../src/contract/call.ts'
import type { OutcomeInput } from '../../src/contract/plugin.ts'
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

/** A monitor that knows a call at each of some accounts. */
function monitorOf(...ids: string[]): Monitor {
  const monitor = createMonitor()
  for (const id of ids) {
    const ended = { candidate: { account: { id } }, attempt: {}, outcome: { fault: 'none' } }
    void monitor.plugin.onOutcome?.(ended as OutcomeInput)
  }
  return monitor
}

interface Answer {
  readonly data: {
    readonly gateway: {
      readonly processesComplete: boolean
      readonly processes: { id: string; stale: boolean; loopLagMs: number }[]
    }
  }
  readonly extensions?: object
}

const query =
  '{ gateway { processesComplete store { reachable } processes { id pid worker host stale loopLagMs } } }'

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
  const newer = { host: 'h'.repeat(5_000), shards: [1, 2, 3] }
  await recordsOf(store).set('newer', await recordLike(store, gateway, 'newer', newer))
  await until(async () => (await ask(gateway)).data.gateway.processes.length === 2)
  const { data, extensions } = await ask(gateway)
  expect(data.gateway).toMatchObject({
    processesComplete: true,
    processes: [{}, { id: 'newer', host: 'h'.repeat(512) }],
  })
  expect(extensions).toBeUndefined()
})

test('a record that cannot be read is named, and hides nothing: an unknown process is no absent one', async () => {
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
  const reason = '2 processes did not answer in full: far, half.'
  expect(extensions).toEqual({ incomplete: [{ field: 'gateway', reason }] })
  const asked = await ask(gateway, '{ exchanges { id } recent { edges { node { id } } } }')
  const fields = ['exchanges', 'recent']
  expect(asked.extensions).toEqual({ incomplete: fields.map((field) => ({ field, reason })) })
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
  const heartbeat = startPresence({
    store: counting,
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
  const heartbeat = startPresence({
    store,
    describe: () => own,
    onStore: () => {},
  })
  const own = await recordLike(memory, gateway, 'own')
  const clocks = { behind: at - 3 * hour, ahead: at + 3 * hour }
  for (const [id, clock] of Object.entries(clocks)) {
    await recordsOf(memory).set(id, await recordLike(memory, gateway, id, { at: clock }))
  }
  const others = async (afresh = true) =>
    (await heartbeat.view({ afresh })).processes.filter(({ id }) => id in clocks)
  expect((await others()).map(({ id, isStale }) => [id, isStale])).toEqual([
    ['ahead', false],
    ['behind', false],
  ])

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

test('an answer about accounts is small, whatever plugins say, and says that it leaves some in trouble out', () => {
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
  const monitor = monitorOf('used')
  const { accounts: shown, isTruncated } = describeAccounts(monitor, found)
  const text = JSON.stringify(shown)
  expect(text.length).toBeLessThanOrEqual(140_000)
  expect(text).not.toContain('canary')
  expect(shown.length).toBeGreaterThan(0)
  expect(isTruncated).toBe(true)
  const brief: AccountExclusion = { account: 'account-0', by: 'x', kind: 'other', reason: 'r' }
  const part = describeAccounts(
    monitor,
    run(exclusionsOf([{ name: 'brief', exclusions: () => [brief] }], all)),
  )
  expect(part.isTruncated).toBe(false)
  expect(part.accounts).toHaveLength(2)
})

test('an answer has the gravest exclusions of an account: a circuit of one key before models that cool down', () => {
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
  const { accounts: shown } = describeAccounts(monitorOf(), found)
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
    found = describeAccounts(monitorOf(), exclusions)
  })
  expect(turns).toBeGreaterThanOrEqual(20)
  expect(Math.max(...asked)).toBeLessThan(20)
  // Only those that are shown are copied.
  expect(read).toBe(200 * 10)
  expect(found?.accounts[0]).toMatchObject({ id: 'a-0' })
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
  expect(found.every((one) => one.exclusions.length === 1)).toBe(true)
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

/** A process that another program plays: it has a record, and answers each command with `answer`. */
async function playProcess(store: Store, gateway: AdminGateway, answer: object) {
  const id = 'far'
  await recordsOf(store).set(id, await recordLike(store, gateway, id))
  const bus = await store.openBus(id, () => {})
  bus.listen({
    onGap() {},
    onMessage(text) {
      const { from, command } = JSON.parse(text) as { from: string; command?: string }
      if (command === undefined) return
      const own = { to: from, from: id, sent: 0, answer: command }
      bus.publish(JSON.stringify({ ...own, status: 'DONE', ...answer }), from)
    },
  })
  return { id, [Symbol.asyncDispose]: () => bus.close() }
}

const cooling = { account: 'a', by: 'x', kind: 'cooling', reason: 'r'.repeat(5_000), more: 1 }
const played = { id: 'a', inFlight: 2 ** 40, calls: 0, failures: 0, exclusions: [cooling], more: 1 }

test('accounts in trouble that an answer has no room for do not look enabled without a sign', async () => {
  const store = openMemoryStore()
  const [first] = accounts
  await using gateway = await startAdminGateway({
    store,
    accounts: [first!, { ...first!, id: 'b' }],
  })
  const result = { accounts: [played], isTruncated: true }
  await using far = await playProcess(store, gateway, { result })
  const reason = `1 process did not answer in full: ${far.id}.`
  const read = (text: string) => gateway.graph(text, {}, 'viewer')
  await until(async () => (await ask(gateway)).data.gateway.processes.length === 2)
  await until(
    async () => Object.keys((await read('{ account(id: "a") { state } }')).extensions).length > 0,
  )
  const shown = await read(
    '{ account(id: "a") { state inFlight exclusions { processId reason } } }',
  )
  expect(shown).toMatchObject({
    data: {
      account: {
        state: 'COOLING',
        inFlight: 2 ** 31 - 1,
        exclusions: [{ processId: far.id, reason: 'r'.repeat(512) }],
      },
    },
    extensions: { incomplete: [{ field: 'account', reason }] },
  })
  // It may know of accounts that this page lacks.
  const refused = await read('{ accounts(filter: {state: REFUSED}) { edges { node { id } } } }')
  expect(refused).toMatchObject({
    data: { accounts: { edges: [] } },
    extensions: { incomplete: [{ field: 'accounts', reason }] },
  })
  const probe = JSON.stringify(await gateway.running.health.cluster?.())
  expect(probe).toContain(`"silent":["${far.id}"]`)
})

test.each([
  ['a damaged answer', { result: { accounts: 'all', isTruncated: false } }],
  ['no list', { result: null }],
  ['a failure', { status: 'FAILED', message: 'x' }],
  ['a message of a wrong shape', { status: 'FINE' }],
  ['a message that is too long', { result: 'x'.repeat(300_000) }],
])('%s of a process is no part of the accounts, and harms no other', async (_name, answer) => {
  const store = openMemoryStore()
  await using gateway = await startAdminGateway({ store, accounts })
  await using far = await playProcess(store, gateway, answer)
  const read = () => gateway.graph('{ account(id: "a") { state } }', {}, 'viewer')
  await until(async () => (await ask(gateway)).data.gateway.processes.length === 2)
  await until(async () => Object.keys((await read()).extensions).length > 0)
  expect(await read()).toMatchObject({
    data: { account: { state: 'ENABLED' } },
    errors: [],
    extensions: {
      incomplete: [{ field: 'account', reason: `1 process did not answer in full: ${far.id}.` }],
    },
  })
})
