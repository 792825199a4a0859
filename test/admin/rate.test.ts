import { expect, test } from 'vitest'

import { createRate } from '../../src/lib/rate.ts'

test('a rate lets a burst through, then one at a time, and nothing at the edge of a window', () => {
  let at = 0
  const rate = createRate({ amount: 10, windowMs: 1_000, burst: 3, uptime: () => at })
  expect([1, 2, 3, 4].map(() => rate.take('a'))).toEqual([0, 0, 0, 100])
  expect(rate.take('b')).toBe(0)
  at = 100
  expect([rate.take('a'), rate.take('a')]).toEqual([0, 100])
  rate.giveBack('a')
  expect([rate.take('a'), rate.take('a')]).toEqual([0, 100])
  at = 1_000_000
  expect([1, 2, 3, 4].map(() => rate.take('a'))).toEqual([0, 0, 0, 100])
})

test('the keys that clients name take bounded memory', () => {
  const rate = createRate({ amount: 1, windowMs: 1_000, uptime: () => 0 })
  for (let key = 0; key < 100_000; key++) rate.take(String(key))
  expect(rate.take('99999')).toBe(1_000)
  expect(rate.take('0')).toBe(0)
})
