import { describe, expect, test } from 'vitest'

import { Latencies } from '../../../src/accounts/latencies.ts'
import type { Candidate } from '../../../src/contract/candidate.ts'
import { CandidateQueue, type Ranked, chancesOf } from '../../../src/route/choose.ts'
import type { Comparison } from '../../../src/route/strategies.ts'

function candidates(facts: readonly { readonly rank?: number; readonly weight?: number }[]) {
  return facts.map(({ rank = 0, weight = 1 }, place): Ranked => {
    const account = { id: `${place}`, priority: 0, weight }
    const candidate = { account, native: true, upstreamModel: 'm' } as unknown as Candidate
    return { candidate, place, rank, why: undefined }
  })
}

const by = (numbers: readonly number[]): Comparison => ({
  rule: 'priority and latency',
  of: ({ account }) => numbers[Number(account.id)]!,
  isBest: (measured, best) => measured <= best * 1.2,
})

const placesOf = (queue: CandidateQueue) => {
  const places: number[] = []
  for (let one = queue.take(); one; one = queue.take()) places.push(one.place)
  return places
}

test('ranks go before the strategy, and the strategy before weights', () => {
  const ranked = candidates([{ rank: 1 }, { weight: 1e9 }, {}, { rank: -1 }])
  expect(placesOf(new CandidateQueue(ranked, by([1, 9, 5, 99])))).toEqual([3, 2, 1, 0])
})

test('many candidates are taken by the strategy to the last one', () => {
  const numbers = Array.from({ length: 60 }, (_, place) => (place * 7919) % 61)
  const taken = placesOf(new CandidateQueue(candidates(numbers.map(() => ({}))), by(numbers)))
  expect(new Set(taken).size).toBe(60)
  const beyond = taken.slice(17).map((place) => numbers[place]!)
  expect(beyond).toEqual(beyond.toSorted((one, other) => one - other))
})

test('nearly equal candidates share by weight, others have no chance', () => {
  const ranked = candidates([{ weight: 3 }, {}, { weight: 100 }])
  const chances = chancesOf(ranked, by([100, 110, 150]))
  expect(chances.map(({ candidate, chance }) => [candidate.account.id, chance])).toEqual([
    ['0', 0.75],
    ['1', 0.25],
    ['2', 0],
  ])
})

test('candidates without a known number share too', () => {
  const chances = chancesOf(candidates([{}, {}]), by([Infinity, Infinity]))
  expect(chances.map(({ chance }) => chance)).toEqual([0.5, 0.5])
})

describe('the latency of an account', () => {
  const candidate = { account: {}, upstreamModel: 'm' } as unknown as Candidate

  function start() {
    const clock = { now: 1_000 }
    const latencies = new Latencies(() => clock.now)
    const call = (ms: number, end: 'answered' | 'failed' = 'answered') => {
      const timing = latencies.begin(candidate, true)
      clock.now += ms
      timing[end]()
    }
    return { clock, latencies, call, of: () => latencies.of(candidate, true) }
  }

  test('is a moving average, whose older values count for less with time', () => {
    const { call, of, clock } = start()
    call(1_000)
    expect(of()).toBe(1_000)
    for (let count = 0; count < 10; count++) call(100)
    expect(of()).toBeGreaterThan(300)
    clock.now += 300_000
    call(100)
    expect(of()).toBeLessThan(110)
  })

  test('is unknown to one call, which finds it out while others go elsewhere', () => {
    const { latencies, of, clock } = start()
    expect(of()).toBe(0)
    const timing = latencies.begin(candidate, true)
    expect(of()).toBe(Infinity)
    clock.now += 300
    timing.answered()
    expect(of()).toBe(300)
    // Of streams only.
    expect(latencies.of(candidate, false)).toBe(0)
  })

  test('that a call has not found out is tried again', () => {
    const { latencies, of, clock } = start()
    latencies.begin(candidate, true)
    clock.now += 10_000
    expect(of()).toBe(0)
  })

  test('fades without calls, so that a recovered account gets one, and one at a time', () => {
    const { call, latencies, of, clock } = start()
    call(8_000)
    clock.now += 240_000
    expect(of()).toBe(500)
    latencies.begin(candidate, true)
    expect(of()).toBe(8_000)
  })

  test('of a failure is longer than that of a slow answer', () => {
    const { call, of } = start()
    call(5, 'failed')
    expect(of()).toBeGreaterThan(5_000)
  })

  test('of an account that has stopped answering grows with the calls that wait', () => {
    const { call, latencies, of, clock } = start()
    call(100)
    for (let count = 0; count < 5; count++) {
      latencies.begin(candidate, true)
      clock.now += 1_000
    }
    expect(of()).toBeGreaterThan(3_000)
    call(100)
    expect(of()).toBeLessThan(3_000)
  })
})
