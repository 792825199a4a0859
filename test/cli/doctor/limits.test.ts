import { expect, test } from 'vitest'

import { checkClock } from '../../../src/cli/doctor/clock.ts'
import { runCheck } from '../../../src/cli/doctor/finding.ts'
import { checkFiles, checkMemory, checkShutdown } from '../../../src/cli/doctor/machine.ts'
import { defaultLimits } from '../../../src/contract/limits.ts'

const mebibyte = 1024 * 1024

const grace = 'TERMINATION_GRACE_PERIOD_SECONDS'

test.each([
  [Infinity, 'OK'],
  [10_000, 'OK'],
  [9_999, 'WARN'],
  [1_024, 'WARN'],
  [1_023, 'FAIL'],
  [undefined, 'OK'],
])('of %s open files', (limit, status) => {
  expect(checkFiles(limit)).toMatchObject({ status: limit === undefined ? 'OK' : status })
})

test.each([
  // One process: 150 MiB and 100 MiB, as much again, and 3.5 times the uploads in bodies.
  { workers: 1, available: 700, status: 'OK' },
  { workers: 1, available: 699, status: 'WARN', fix: 'inlineBytes' },
  { workers: 1, available: 349, status: 'WARN', fix: 'memoryBytes' },
  { workers: 1, available: 249, status: 'FAIL', fix: 'memoryBytes' },
  { workers: 2, available: 700, status: 'WARN', fix: 'inlineBytes' },
  { workers: 4, available: 900, status: 'FAIL', fix: 'workers' },
])('$workers processes in $available MiB', ({ workers, available, status, fix }) => {
  const limits = { ...defaultLimits, memoryBytes: 100 * mebibyte, inlineBytes: 100 * mebibyte }
  const options = { workers, availableBytes: available * mebibyte }
  const found = checkMemory({ limits }, options)
  expect(found).toMatchObject({ status })
  expect(found.fix ?? '').toContain(fix ?? '')
})

test.each([
  ['on a machine', {}, 'OK', '5 s for balancers to notice, and 30 s for calls under way'],
  ['with a supervisor that is named', { [grace]: '65' }, 'OK', '5 s for balancers'],
  ['in a pod that does not name it', { KUBERNETES_SERVICE_HOST: '10.0.0.1' }, 'WARN', 'Kubernetes'],
  ['in a pod', { KUBERNETES_SERVICE_HOST: '10.0.0.1', [grace]: '65' }, 'OK', '55 s for calls'],
  ['with a short one', { [grace]: '8' }, 'WARN', '1 s for calls under way'],
  ['with a word', { [grace]: '30s' }, 'FAIL', 'must be a number'],
])('the end of a process %s', (_, env, status, words) => {
  const found = checkShutdown({ timeouts: { drainMs: 30_000 } }, env)
  expect(found).toMatchObject({ status, message: expect.stringContaining(words) as string })
  if (status !== 'OK') expect(found.fix).toContain(grace)
})

test('the clock of the store decides, else that of the nearest account', () => {
  const at = Date.now()
  const reading = (of: string, differenceMs: number) => ({
    of,
    time: at + differenceMs,
    at,
    errorMs: 1_000,
  })
  expect(checkClock([], false)).toMatchObject({ status: 'WARN' })
  expect(checkClock([], true)).toMatchObject({ status: 'OK' })
  expect(checkClock([reading('account a', 5_900)], true)).toMatchObject({ status: 'OK' })
  expect(checkClock([reading('account a', 6_100)], true)).toMatchObject({ status: 'WARN' })
  expect(checkClock([reading('account a', -61_100)], true)).toMatchObject({ status: 'FAIL' })
  const readings = [reading('account a', 0), reading('the store', 90_000)]
  expect(checkClock(readings, true)).toMatchObject({
    status: 'FAIL',
    message: expect.stringContaining('89.0 s behind the clock of the store'),
  })
})

test('a check that hangs or throws is a finding without the words of the error', async () => {
  const never = () => new Promise<never>(() => {})
  const late = await runCheck({ name: 'a', longestMs: 5 }, never)
  expect(late).toMatchObject([{ check: 'a', status: 'FAIL' }])
  const broken = () => Promise.reject(Object.assign(new Error('hush'), { code: 'EIO' }))
  const [failed] = await runCheck({ name: 'a', longestMs: 1_000 }, broken)
  expect(failed).toMatchObject({ status: 'FAIL', message: 'The check fails (EIO).' })
})
