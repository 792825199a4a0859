import { expect } from 'vitest'

import type { Meter } from '../../../src/stores/meter.ts'
import { StoreUnavailable } from '../../../src/stores/store.ts'
import { ask, budget } from './limits.ts'

export const subject = 'key:a'

export const limit = budget(100)

/** What a call may take beyond its deadline before a test calls it stuck, in milliseconds. */
export const patience = 2_000

export async function expectAllToFail(meter: Meter): Promise<void> {
  const calls = [
    meter.admit(ask('away', limit, 1)),
    meter.settle({ subject, hold: '1', charges: [] }),
    meter.renew(subject, ['1'], 60_000),
    meter.read(subject, [limit]),
    meter.reset(subject, limit),
  ]
  const stuck = new Promise((resolve) => setTimeout(resolve, patience, 'stuck').unref())
  for (const call of calls) {
    const outcome = Promise.race([call, stuck]).catch((error: unknown) => error)
    expect(await outcome).toBeInstanceOf(StoreUnavailable)
  }
}

export const answers = (meter: Meter) =>
  meter.read(subject, [limit]).then(
    () => true,
    () => false,
  )
