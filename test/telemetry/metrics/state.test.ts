import { describe, expect, test } from 'vitest'

import { compileModels } from '../../../src/accounts/patterns.ts'
import type { Account } from '../../../src/contract/account.ts'
import type { AccountExclusion } from '../../../src/contract/call.ts'
import type { Ended } from '../../../src/contract/exchange.ts'
import { followInFlight } from '../../../src/exchange/in-flight.ts'
import { run } from '../../../src/lib/turns.ts'
import { openMemoryStore } from '../../../src/stores/memory.ts'
import { createMetrics } from '../../../src/telemetry/metrics/index.ts'
import { type JobPages, createJobCounts } from '../../../src/telemetry/metrics/job-counts.ts'
import { storeKind } from '../../../src/stores/open.ts'
import { observeStore } from '../../../src/telemetry/metrics/observe-store.ts'
import { createRegistry } from '../../../src/telemetry/metrics/registry.ts'
import type { Snapshot } from '../../../src/telemetry/metrics/snapshot.ts'
import { type StateSources, readState as stateSteps } from '../../../src/telemetry/metrics/state.ts'
import { turnsOf } from '../../admin/turns.ts'

type Models = Parameters<typeof compileModels>[0]

function accountOf(id: string, models: Models, enabled = true): Account {
  const speaks = ['chat', 'responses']
  return { id, enabled, speaks, models: compileModels(models) } as unknown as Account
}

/** All steps at once. The pool of a call is its model. */
const readState = (sources: StateSources) =>
  run(stateSteps(sources, ({ model }) => model?.name ?? ''))

/** The values of a metric with one label or two, by these. */
function valuesOf(state: Snapshot, name: string): Record<string, number | undefined> {
  const all = state.get(name) ?? []
  return Object.fromEntries(all.map(([labels, [value]]) => [labels?.join(' '), value]))
}

function statesOf(exclusions: readonly Partial<AccountExclusion>[], enabled = true) {
  const account = accountOf('a', [], enabled)
  const whole = exclusions.map((one) => ({
    account: 'a',
    by: 'x',
    reason: 'x',
    kind: 'other' as const,
    ...one,
  }))
  const broken = () => {
    throw new Error('a plugin that cannot say')
  }
  const state = readState({
    inFlight: () => [],
    accounts: () => [account],
    plugins: [
      { name: 'broken', exclusions: broken },
      { name: 'health', exclusions: () => whole },
    ],
  })
  const valueOf = (name: string) => state.get(name)?.[0]?.[1][0]
  return [valueOf('dragoman.account.available'), valueOf('dragoman.account.circuit.state')]
}

describe('the state of an account', () => {
  const circuit = { kind: 'circuit', dialect: 'chat' } as const
  test.each([
    ['in use', [], [1, 0]],
    ['refused', [{ kind: 'refused' }], [0, 0]],
    ['without one of its models', [{ kind: 'cooling', model: 'm' }], [1, 0]],
    ['closed to one key', [{ kind: 'refused', keyId: 'k' }], [1, 0]],
    ['with an open circuit of one dialect', [circuit], [1, 2]],
    [
      'with open circuits of all its dialects',
      [circuit, { ...circuit, dialect: 'responses' }],
      [0, 2],
    ],
    ['with a half-open circuit', [{ ...circuit, isProbing: true }], [1, 1]],
  ] as const)('%s', (_, exclusions, expected) => {
    expect(statesOf(exclusions)).toEqual(expected)
  })

  test('that is disabled', () => expect(statesOf([], false)).toEqual([0, 0]))
})

describe('exclusions', () => {
  const about = { by: 'x', reason: 'x' }
  const read = (accounts: Account[], exclusions: AccountExclusion[]) =>
    readState({
      inFlight: () => [],
      accounts: () => accounts,
      plugins: [{ name: 'health', exclusions: () => exclusions }],
    })

  test('of accounts and of their models show with their reasons, while they last', () => {
    const accounts = [accountOf('a', ['m', 'n']), accountOf('off', ['m'], false)]
    const state = read(accounts, [
      { account: 'a', kind: 'refused', ...about },
      { account: 'a', kind: 'circuit', dialect: 'chat', ...about },
      { account: 'a', kind: 'circuit', dialect: 'responses', ...about },
      { account: 'a', kind: 'cooling', model: 'm', ...about },
      { account: 'a', kind: 'cooling', model: 'n', ...about },
      { account: 'a', kind: 'other', keyId: 'of one key', ...about },
    ])
    expect(valuesOf(state, 'dragoman.account.excluded')).toEqual({
      'a refused': 1,
      'a circuit': 1,
      'off disabled': 1,
    })
    expect(valuesOf(state, 'dragoman.account.models_excluded')).toEqual({ 'a cooling': 2 })
    expect(read(accounts.slice(0, 1), []).get('dragoman.account.excluded')).toEqual([])
  })

  test('leave a model available as long as one account takes it, by its name or a pattern', () => {
    const accounts = [
      accountOf('named', ['gpt-a', 'own']),
      accountOf('renamed', { mine: 'upstream', 'gpt-*': 'x-*' }),
      accountOf('off', ['parked'], false),
    ]
    const available = (exclusions: AccountExclusion[]) =>
      valuesOf(read(accounts, exclusions), 'dragoman.model.available')
    const all = { 'gpt-a': 1, own: 1, mine: 1, 'gpt-*': 1 }
    expect(available([])).toEqual(all)
    expect(available([{ account: 'named', kind: 'refused', ...about }])).toEqual({ ...all, own: 0 })
    const renamed = { account: 'renamed', kind: 'cooling', ...about } as const
    expect(available([renamed])).toEqual({ ...all, mine: 0, 'gpt-*': 0 })
    expect(available([{ ...renamed, model: 'upstream' }])).toEqual({ ...all, mine: 0 })
  })
})

describe('pools', () => {
  const working = (account: Account, name: string) =>
    ({
      request: { method: 'POST' },
      model: { name },
      progress: { attempt: { startedAt: 1, candidate: { account } } },
    }) as unknown as Ended
  const read = (accounts: Account[], inFlight: Ended[], exclusions: AccountExclusion[] = []) => {
    const state = readState({
      inFlight: () => inFlight,
      accounts: () => accounts,
      plugins: [{ name: 'health', exclusions: () => exclusions }],
    })
    const of = (name: string) => {
      const values = valuesOf(state, `dragoman.account.${name}`)
      // No series is there twice.
      expect(state.get(`dragoman.account.${name}`)).toHaveLength(Object.keys(values).length)
      return values
    }
    return { inFlight: of('inflight'), available: of('available') }
  }

  test('an account has one for each model and pattern, and the longest pattern takes names of others', () => {
    const one = accountOf('one', { a: 'x', '*': '*', 'gpt-*': '*' })
    const two = accountOf('two', ['a', 'a', 'b'], false)
    const calls = ['a', 'a', 'b', 'gpt-9', 'gpt-9*'].map((name) => working(one, name))
    expect(read([one, two], calls)).toEqual({
      inFlight: { 'one a': 2, 'one *': 1, 'one gpt-*': 2, 'two a': 0, 'two b': 0 },
      available: { 'one a': 1, 'one *': 1, 'one gpt-*': 1, 'two a': 0, 'two b': 0 },
    })
  })

  test('a call of a model that its account has lost is one of no pool', () => {
    const one = accountOf('one', ['a'])
    expect(read([one], [working(one, 'b')])).toEqual({
      inFlight: { 'one a': 0, 'one _other': 1 },
      available: { 'one a': 1 },
    })
  })

  test('an account that is kept out for a model, by its own name of it, is so in this pool only', () => {
    const account = accountOf('one', { a: 'x', b: 'y' })
    const cooling = { account: 'one', kind: 'cooling', by: 'x', reason: 'x' } as const
    const available = (exclusion: object) =>
      read([account], [], [{ ...cooling, ...exclusion }]).available
    expect(available({ model: 'x' })).toEqual({ 'one a': 0, 'one b': 1 })
    expect(available({ model: 'x', keyId: 'k' })).toEqual({ 'one a': 1, 'one b': 1 })
    expect(available({})).toEqual({ 'one a': 0, 'one b': 0 })
  })

  test('beyond 2,000 of all accounts, each account has one, with all of its calls', () => {
    const named = Array.from({ length: 50 }, (_, index) => `m-${index}`)
    const accounts = Array.from({ length: 40 }, (_, index) => accountOf(`a-${index}`, named))
    const last = accounts[39] as Account
    const calls = [working(last, 'm-1'), working(last, 'm-1'), working(last, 'm-unknown')]
    // Calls do not change it.
    expect(Object.keys(read(accounts, calls).available)).toHaveLength(2_000)

    const more = read([...accounts, accountOf('none', [])], calls)
    expect(Object.keys(more.available)).toHaveLength(41)
    expect(more.inFlight).toMatchObject({ 'a-0 _other': 0, 'a-39 _other': 3 })
    expect(more.available).toMatchObject({ 'a-0 _other': 1, 'none _other': 1 })
  })

  test('ten thousand accounts with fifty models each have as few series as without pools', () => {
    const named = Array.from({ length: 50 }, (_, index) => `m-${index}`)
    const accounts = Array.from({ length: 10_000 }, (_, index) => accountOf(`a-${index}`, named))
    const all = read(accounts, [working(accounts[9_999] as Account, 'm-7')])
    expect(Object.keys(all.available)).toHaveLength(500)
    expect(all.inFlight).toMatchObject({ 'a-9999 _other': 1, 'a-0 _other': 0 })
  })
})

describe('the store', () => {
  test('is measured, its failures too, and works as without a measure', async () => {
    const registry = createRegistry()
    const inner = openMemoryStore()
    const store = observeStore(inner, storeKind('memory:'), registry)
    const records = store.records<number>('n', { listed: true })
    await records.set('a', 1)
    expect(await records.get('a')).toBe(1)
    expect(await records.list()).toEqual([{ id: 'a', value: 1 }])
    expect(store.ownSecretKey?.()).toBe(inner.ownSecretKey?.())
    await store.close()
    await expect(records.get('a')).rejects.toThrow()
    const measured = registry.snapshot().get('dragoman.store.operation.duration') ?? []
    expect(measured.map(([labels]) => labels)).toEqual([
      ['memory', 'set', ''],
      ['memory', 'get', ''],
      ['memory', 'list', ''],
      ['memory', 'get', 'unavailable'],
    ])
  })

  test.each([
    ['file:x', 'file'],
    ['rediss+sentinel://h:1/n', 'redis'],
  ])('%s is of the kind %s', (url, kind) => expect(storeKind(url)).toBe(kind))
})

test('requests in flight are apart by what their clients speak, as a trusted proxy says', () => {
  const exchange = (method: string, scheme?: string) =>
    ({ request: { method, scheme }, progress: {} }) as Ended
  const active = (inFlight: readonly Ended[]) =>
    valuesOf(
      readState({ inFlight: () => inFlight, accounts: () => [], plugins: [] }),
      'http.server.active_requests',
    )
  const none = { 'GET http': 0, 'GET https': 0, 'POST http': 0, 'POST https': 0 }
  expect(active([])).toEqual(none)
  const all = [exchange('POST'), exchange('POST', 'https'), exchange('POST', 'https')]
  expect(active([...all, exchange('PUT', 'https')])).toEqual({
    ...none,
    'POST http': 1,
    'POST https': 2,
    'PUT https': 1,
  })
})

test('exchanges in flight are followed where no operator observes them', () => {
  const followed = followInFlight()
  const all = [1, 2, 3].map(() => ({ progress: { slot: -1 } }) as Ended)
  for (const one of all) followed.begin(one)
  const end = (one: Ended) => followed.end(one, { status: 200, end: 'complete', durationMs: 1 })
  end(all[0]!)
  end(all[0]!)
  expect(followed.inFlight).toHaveLength(2)
  end(all[2]!)
  expect(followed.inFlight).toEqual([all[1]])
  end(all[1]!)
  expect(followed.inFlight).toEqual([])
})

describe('jobs', () => {
  const video = { kind: 'video', states: ['completed', 'failed'] }

  test('of an endless list are counted to a limit, once in a while', async () => {
    let pages = 0
    const value = { status: 'completed' }
    const endless: JobPages = {
      ...video,
      async walk({ limit }) {
        pages++
        return {
          found: Array.from({ length: limit }, () => ({ value })),
          examined: limit,
          next: 'x',
        }
      },
    }
    const batches: JobPages = {
      kind: 'batch',
      states: ['queued'],
      walk: async () => ({ found: [{ value }], examined: 1 }),
    }
    const counts = createJobCounts(() => [endless, batches])
    const [first, second] = [await counts(), await counts()]
    expect(first.get('dragoman.jobs')).toEqual([
      [['video', 'completed'], [5_000]],
      [['video', 'failed'], [0]],
      [['batch', 'queued'], [0]],
      [['batch', 'completed'], [1]],
    ])
    expect(second).toBe(first)
    expect(pages).toBe(20)
  })

  test('of a store that does not answer hold nobody up', async () => {
    const counts = createJobCounts(() => [
      { ...video, walk: () => Promise.reject(new Error('away')) },
    ])
    expect(await counts()).toEqual(new Map())
    const silent = createJobCounts(() => [{ ...video, walk: () => new Promise(() => {}) }])
    expect(await silent()).toEqual(new Map())
  })
})

test('the state of many accounts is read in short turns', async () => {
  const accounts = Array.from({ length: 200 }, (_, index) =>
    accountOf(`a-${index}`, [`m-${index}`]),
  )
  const exclusions = (some: readonly Account[]) =>
    some.map(({ id }) => ({ account: id, by: 'x', kind: 'cooling', reason: 'x' }) as const)
  using metrics = createMetrics({
    setting: { models: [], by: [] },
    version: '1',
    now: Date.now,
  })
  metrics.follow({
    inFlight: () => [],
    accounts: () => accounts,
    plugins: [{ name: 'health', exclusions }],
    jobs: () => undefined,
  })
  let values: Snapshot | undefined
  const turns = await turnsOf(async () => (values = await metrics.snapshot()))
  // Eight accounts at once, and then the names of their models.
  expect(turns).toBeGreaterThan(200 / 8 + 200)
  expect(values?.get('dragoman.account.available')).toHaveLength(200)
})
