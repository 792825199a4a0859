import type { AccountSlots } from '../accounts/slots.ts'
import type { UpstreamClient } from '../contract/attempt.ts'
import type { ClientGonePolicy, Limits, Timeouts } from '../contract/limits.ts'
import type { TranslationServices } from '../contract/services.ts'
import type { Hooks } from '../hooks/compose.ts'
import type { Ticker } from '../lib/ticker.ts'

/** The gateway services, hooks and limits that every attempt uses. */
export interface AttemptEnvironment {
  readonly client: UpstreamClient
  readonly ticker: Ticker
  readonly slots: AccountSlots
  readonly hooks: Hooks
  readonly timeouts: Timeouts
  /** The latest deadlines, which those of an account do not exceed. Absent: there are none. */
  readonly mostMs?: Partial<Timeouts>
  readonly limits: Limits
  readonly clientGone: ClientGonePolicy
  readonly translation: TranslationServices
}
