import { expect, test } from 'vitest'

import type { Candidate } from '../../src/contract/candidate.ts'
import { CandidateQueue, type Ranked, chancesOf } from '../../src/route/choose.ts'

interface Facts {
  readonly rank?: number
  readonly native?: boolean
  readonly priority?: number
  readonly weight?: number
  readonly place?: number
}

function candidate({
  rank = 0,
  native = true,
  priority = 0,
  weight = 1,
  place = 0,
}: Facts = {}): Ranked {
  const account = { id: 'a', priority, weight }
  return { candidate: { account, native } as unknown as Candidate, place, rank, why: undefined }
}

function takeAll(candidates: readonly Ranked[]): Ranked[] {
  const queue = new CandidateQueue(candidates)
  const taken: Ranked[] = []
  for (let one = queue.take(); one; one = queue.take()) taken.push(one)
  return taken
}

test('candidates are taken by rank, native before translated, by priority, each of them once', () => {
  const sorts = [
    { rank: -1 },
    {},
    { priority: 1 },
    { native: false },
    { native: false, priority: 1 },
    { rank: 1, priority: -1 },
  ].map((facts) => Array.from({ length: 15 }, () => candidate(facts)))
  const taken = takeAll(sorts.toReversed().flat())
  expect(taken).toHaveLength(15 * sorts.length)
  for (const [place, all] of sorts.entries()) {
    const part = taken.slice(15 * place, 15 * (place + 1))
    expect(new Set(part)).toEqual(new Set(all))
  }
})

test.each([0, 40])(
  'after %i that decline, a heavy candidate is taken first as often as its weight says',
  (before) => {
    let first = 0
    for (let round = 0; round < 1_000; round++) {
      const heavy = candidate({ weight: 9 })
      const others = Array.from({ length: before }, () => candidate({ rank: -1 }))
      const taken = takeAll([candidate(), ...others, heavy])
      if (taken[before] === heavy) first++
    }
    // 900 on average; the deviation is 9.5.
    expect(first).toBeGreaterThan(820)
    expect(first).toBeLessThan(970)
  },
)

test('each of thousands that decline costs no look at all others', () => {
  let looks = 0
  const counting = () => {
    const one = candidate()
    Object.defineProperty(one, 'rank', { get: () => (looks++, 0) })
    return one
  }
  const count = 4_000
  expect(takeAll(Array.from({ length: count }, counting))).toHaveLength(count)
  expect(looks).toBeLessThan(count * 150)
})

test('the likeliest candidates are named first, and equal ones in the order of the pool', () => {
  const [second, heavy, first] = [
    candidate({ place: 2 }),
    candidate({ place: 1, weight: 2 }),
    candidate({ place: 0 }),
  ]
  const never = candidate({ priority: 1, weight: 9 })
  const chances = chancesOf([never, second, heavy, first])
  expect(chances.map((one) => one.candidate)).toEqual(
    [heavy, first, second, never].map((one) => one.candidate),
  )
  expect(chances.map(({ chance }) => chance)).toEqual([0.5, 0.25, 0.25, 0])
})
