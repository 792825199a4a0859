import { expect, test } from 'vitest'

import { resolveSettings } from '../../src/configuration/resolve.ts'
import { defaultLimits, defaultTimeouts } from '../../src/contract/limits.ts'

const defaults = resolveSettings({}, { env: {} })

test('a gateway without configuration has the limits and timeouts of one that is embedded', () => {
  const { limits, timeouts } = resolveSettings({}, { env: {} })
  expect(defaultLimits).toEqual(limits)
  expect(defaultTimeouts).toMatchObject(timeouts)
  expect(Object.keys(timeouts)).not.toContain('outcomeMs')
})

test('the documented defaults hold', () => {
  const MiB = 1024 * 1024
  expect(defaults.limits).toMatchObject({
    jsonBodyBytes: 64 * MiB,
    jsonValues: 250_000,
    // A quarter of the memory that the process may use.
    memoryBytes: expect.any(Number) as number,
    formBytes: 1024 * MiB,
    formPartBytes: 512 * MiB,
    spoolBytes: 4096 * MiB,
    inlineBytes: 512 * MiB,
    replyBytes: 64 * MiB,
    frameBytes: 32 * MiB,
    attempts: 5,
  })
  expect(defaults.timeouts).toEqual({
    connectMs: 10_000,
    firstByteMs: 15 * 60_000,
    idleMs: 15 * 60_000,
    totalMs: 2 * 60 * 60_000,
    keepAliveMs: 15_000,
    holdMs: 5_000,
    requestBodyMs: 60_000,
    drainMs: 55_000,
    pluginMs: 30_000,
  })
})

test('a configuration that changes one of them keeps the others', () => {
  const changed = resolveSettings({ limits: { attempts: 2 }, timeouts: { holdMs: 1 } }, { env: {} })
  expect(changed.limits).toEqual({ ...defaults.limits, attempts: 2 })
  expect(changed.timeouts).toEqual({ ...defaults.timeouts, holdMs: 1 })
})
