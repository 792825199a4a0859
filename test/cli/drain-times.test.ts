import { expect, test } from 'vitest'

import { CommandError } from '../../src/cli/command.ts'
import { readDrainTimes } from '../../src/cli/drain-times.ts'

const times = (
  env: Record<string, string>,
  signal: 'SIGINT' | 'SIGTERM' = 'SIGTERM',
  isAttended = false,
) => {
  const { delayMs, timeoutMs } = readDrainTimes({ env, isAttended }, 30_000)(signal)
  return [delayMs, timeoutMs]
}

test('a shutdown has the time of the configuration, or that of the supervisor', () => {
  expect(times({})).toEqual([5_000, 30_000])
  expect(times({}, 'SIGINT')).toEqual([0, 30_000])
  expect(times({ DRAGOMAN_DRAIN_DELAY_MS: '2000' })).toEqual([2_000, 30_000])
  expect(times({ DRAGOMAN_DRAIN_DELAY_MS: '2000' }, 'SIGINT')).toEqual([0, 30_000])
})

test('a gateway at a terminal has no delay, unless a variable says so', () => {
  expect(times({}, 'SIGTERM', true)).toEqual([0, 30_000])
  expect(times({ TERMINATION_GRACE_PERIOD_SECONDS: '65' }, 'SIGTERM', true)).toEqual([
    5_000, 55_000,
  ])
  expect(times({ DRAGOMAN_DRAIN_DELAY_MS: '2000' }, 'SIGTERM', true)).toEqual([2_000, 30_000])
})

test('a pod has ended before its grace period, whatever its length', () => {
  const grace = (seconds: string, more = {}) => ({
    TERMINATION_GRACE_PERIOD_SECONDS: seconds,
    ...more,
  })
  expect(times(grace('65'))).toEqual([5_000, 55_000])
  expect(times(grace('65'), 'SIGINT')).toEqual([0, 60_000])
  expect(times(grace('65', { DRAGOMAN_DRAIN_DELAY_MS: '0' }))).toEqual([0, 60_000])
  expect(times(grace('65', { DRAGOMAN_DRAIN_DELAY_MS: '15000' }))).toEqual([15_000, 45_000])
  expect(times(grace('8'))).toEqual([2_000, 1_000])
  expect(times(grace('2'))).toEqual([500, 0])
  // Node's timers end at once after more than 31 bits of milliseconds.
  expect(Math.max(...times(grace('999999999999')))).toBeLessThan(2 ** 31)
})

test.each(['30s', '-1', '1e3', 'Infinity', ' 5', '9'.repeat(400)])(
  'a time that is no number (%j) is an error of the start, not a shutdown without one',
  (text) => {
    for (const name of ['DRAGOMAN_DRAIN_DELAY_MS', 'TERMINATION_GRACE_PERIOD_SECONDS'])
      expect(() => readDrainTimes({ env: { [name]: text } }, 30_000)).toThrow(CommandError)
  },
)
