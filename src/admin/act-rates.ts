import type { AdminLimits } from './limits.ts'
import type { Principal } from './principal.ts'
import { createRate } from '../lib/rate.ts'

/** The acts that a principal may try: each writes a record that stays for 400 days. */
export interface ActRates {
  /** Takes one act, also as one that fails. Returns 0, or after how many milliseconds the next is left. */
  take(principal: Pick<Principal, 'id'>): number
  /** The act that was taken has found what it was about: it does not count as a failed one. */
  found(principal: Pick<Principal, 'id'>): void
  /** As `take`, for an export. */
  takeExport(principal: Pick<Principal, 'id'>): number
}

/** The limits that rates of acts have. */
type ActLimits = Pick<
  AdminLimits,
  'actsPerSecond' | 'actBurst' | 'failedActsPerMinute' | 'failedActBurst' | 'exportsPerMinute'
>

/** Creates the rates of a process. `uptime` is the milliseconds of a clock that runs evenly. */
export function createActRates(limits: ActLimits, uptime: () => number): ActRates {
  const minute = { windowMs: 60_000, uptime }
  const acts = createRate({
    amount: limits.actsPerSecond,
    windowMs: 1_000,
    burst: limits.actBurst,
    uptime,
  })
  const failed = createRate({
    ...minute,
    amount: limits.failedActsPerMinute,
    burst: limits.failedActBurst,
  })
  const exports = createRate({ ...minute, amount: limits.exportsPerMinute })
  return {
    take: ({ id }) => acts.take(id) || failed.take(id),
    found: ({ id }) => failed.giveBack(id),
    takeExport: ({ id }) => exports.take(id),
  }
}
