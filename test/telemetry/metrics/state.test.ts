import { describe, expect, test } from 'vitest'

import type { Account } from '../../../src/contract/account.ts'
import type { AccountExclusion } from '../../../src/contract/call.ts'
import type { Ended } from '../../../src/contract/exchange.ts'
import { followInFlight } from '../../../src/exchange/in-flight.ts'
import { openMemoryStore } from '../../../src/stores/memory.ts'
import { createJobCounts } from '../../../src/telemetry/metrics/job-counts.ts'
import { observeStore, storeKind } from '../../../src/telemetry/metrics/observe-store.ts'
import { createRegistry } from '../../../src/telemetry/metrics/registry.ts'
import { readState } from '../../../src/telemetry/metrics/state.ts'

function statesOf(exclusions: readonly Partial<AccountExclusion>[], enabled = true) {
  const account = { id: 'a', enabled, speaks: ['chat', 'responses'] } as unknown as Account
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
  const job = { kind: 'video', status: 'completed' } as const

  test('of an endless list are counted to a limit, once in a while', async () => {
    let pages = 0
    const counts = createJobCounts(() => ({
      async walk({ limit }) {
        pages++
        return { jobs: Array.from({ length: limit }, () => ({ job })), examined: limit, next: 'x' }
      },
    }))
    const [first, second] = [await counts(), await counts()]
    expect(first.get('dragoman.jobs')).toContainEqual([['video', 'completed'], [5_000]])
    expect(second).toBe(first)
    expect(pages).toBe(20)
  })

  test('of a store that does not answer hold nobody up', async () => {
    const counts = createJobCounts(() => ({ walk: () => Promise.reject(new Error('away')) }))
    expect(await counts()).toEqual(new Map())
    const silent = createJobCounts(() => ({ walk: () => new Promise(() => {}) }))
    expect(await silent()).toEqual(new Map())
  })
})
