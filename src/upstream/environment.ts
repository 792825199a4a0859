import type { Latencies } from '../accounts/latencies.ts'
import type { AccountSlots } from '../accounts/slots.ts'
import type { UpstreamClient } from '../contract/attempt.ts'
import type { ClientGonePolicy, Limits, Timeouts } from '../contract/limits.ts'
import type { TranslationServices } from '../contract/services.ts'
import type { Hooks } from '../hooks/compose.ts'
import type { Ticker } from '../lib/ticker.ts'
import type { Account } from '../contract/account.ts'

/** The gateway services, hooks and limits that every attempt uses. */
export interface AttemptEnvironment {
  readonly client: UpstreamClient
  readonly ticker: Ticker
  readonly slots: AccountSlots
  readonly latencies: Latencies
  readonly hooks: Hooks
  readonly timeouts: Timeouts
  /** Upper bounds of deadlines, also of the deadlines that an account has. Absent: there are none. */
  readonly mostMs?: Partial<Timeouts>
  readonly limits: Limits
  readonly clientGone: ClientGonePolicy
  readonly translation: TranslationServices
}

/** The deadlines of an attempt at an account: the account's deadlines override the gateway's. */
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
