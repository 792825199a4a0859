import { expect, test } from 'vitest'

import type { Candidate } from '../../src/contract/candidate.ts'
import { CandidateQueue, type Ranked } from '../../src/route/choose.ts'

interface Facts {
  readonly rank?: number
  readonly native?: boolean
  readonly priority?: number
  readonly weight?: number
}

function candidate({ rank = 0, native = true, priority = 0, weight = 1 }: Facts = {}): Ranked {
  const account = { id: 'a', priority, weight }
  return { candidate: { account, native } as unknown as Candidate, rank, why: undefined }
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
