import { afterEach, expect, test, vi } from 'vitest'

import { machineTime, steadyNow } from '../src/lib/time.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

test('a time on the steady clock is the same however much later it is asked for', () => {
  const end = steadyNow() + 30_000.4
  const first = machineTime(end, steadyNow)
  expect(Math.abs(first - Date.now() - 30_000)).toBeLessThan(1_000)

  const later = Date.now() + 50
  vi.spyOn(Date, 'now').mockImplementation(() => later)
  expect(machineTime(end, steadyNow)).toBe(first)
})

test('a machine whose clock is set has the rest of a wait, neither more nor less', () => {
  const now = steadyNow()
  vi.spyOn(performance, 'now').mockReturnValue(now - performance.timeOrigin)
  for (const step of [-3_600_000, 7_200_000]) {
    const set = Date.now() + step
    vi.spyOn(Date, 'now').mockReturnValue(set)
    expect(machineTime(now + 30_000, steadyNow)).toBe(set + 30_000)
  }
})

test('a time on another clock is as far away as that clock says', () => {
  const before = Date.now()
  const time = machineTime(1_500, () => 1_000)
  expect(time).toBeGreaterThanOrEqual(before + 500)
  expect(time).toBeLessThanOrEqual(Date.now() + 500)
})
