import { expect, test } from 'vitest'

import { machineTime } from '../src/lib/machine-time.ts'

test('a time on the clock of the machine is itself, however much later it is asked for', () => {
  const end = Date.now() + 30_000.4
  expect(machineTime(end, Date.now)).toBe(Math.round(end))
})

test('a time on another clock is as far away as that clock says', () => {
  const before = Date.now()
  const time = machineTime(1_500, () => 1_000)
  expect(time).toBeGreaterThanOrEqual(before + 500)
  expect(time).toBeLessThanOrEqual(Date.now() + 500)
})
