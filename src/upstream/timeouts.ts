import type { Account } from '../contract/account.ts'
import type { Timeouts } from '../contract/limits.ts'
import type { AttemptEnvironment } from './environment.ts'

/** The deadlines of an attempt at an account: its own go before those of the gateway. */
export function timeoutsOf(
  { timeouts, mostMs }: Pick<AttemptEnvironment, 'timeouts' | 'mostMs'>,
  { timeouts: own }: Pick<Account, 'timeouts'>,
): Timeouts {
  if (!own) return timeouts
  const merged = { ...timeouts, ...own }
  return mostMs ? atMost(merged, mostMs) : merged
}

/** The deadlines, none of which is later than that in `most`. */
export function atMost(timeouts: Timeouts, most: Partial<Timeouts>): Timeouts {
  const entries = Object.entries(most) as [keyof Timeouts, number][]
  return {
    ...timeouts,
    ...Object.fromEntries(entries.map(([name, ms]) => [name, Math.min(timeouts[name], ms)])),
  }
}

/** How long an upstream may keep its connection open after the terminal frame, in milliseconds. */
export const afterTerminalMs = 1_000
