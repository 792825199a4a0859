import type { Slot } from '../accounts/slots.ts'
import type { AttemptPlan } from '../contract/attempt.ts'
import { toGatewayError } from '../contract/errors.ts'
import type { Attempt, Routed } from '../contract/exchange.ts'
import type { Outcome } from '../contract/outcome.ts'
import type { Hooks } from '../hooks/compose.ts'
import { spendOf } from '../kit/spend.ts'

/** The attempt that a handler serves, and the hooks that receive its outcome. */
export interface AttemptContext {
  readonly exchange: Routed
  readonly attempt: Attempt
  readonly hooks: Pick<Hooks, 'attempt' | 'outcome' | 'produced' | 'refusal'>
  /** The account's slot, which each request of the attempt holds until its end. Absent: it has no limit. */
  readonly slot?: Slot | undefined
  /** Writes the plan's own record before the reply's last bytes are sent. */
  readonly persist?: AttemptPlan['persist']
}

/**
 * Settles an attempt: records its outcome and its spend, and notifies the plugins. Only the first outcome counts.
 * Resolves when the reply's last bytes may be sent: the plan's record is written, and the critical
 * plugins have finished or timed out. Returns `undefined` if there is nothing to wait for.
 */
export function settle(context: AttemptContext, settled: Outcome): Promise<void> | undefined {
  const { exchange, attempt, hooks, persist } = context
  if (attempt.outcome) return undefined
  // First, since it may throw: then the attempt is settled as failed.
  const written = persist?.()?.catch((error: unknown) => {
    // The reply goes out all the same; the gateway reports the error when the exchange ends.
    exchange.progress.error ??= toGatewayError(error)
  })
  const { usage = attempt.usage, discloses = attempt.discloses } = settled
  const isWhole = usage === settled.usage && discloses === settled.discloses
  const outcome = isWhole ? settled : { ...settled, usage, ...(discloses && { discloses }) }
  attempt.outcome = outcome
  exchange.progress.outcome = outcome
  if (outcome.status === 'failed') exchange.progress.failed = [...exchange.progress.failed, attempt]
  exchange.progress.trace?.settled(attempt, outcome)
  const { candidate } = attempt
  const settlement = { exchange, candidate, attempt, outcome }
  attempt.spend = spendOf(settlement)
  const notified = hooks.outcome?.(settlement)
  const done =
    written && notified ? Promise.all([written, notified]).then(() => {}) : (written ?? notified)
  if (done) exchange.progress.trace?.recording(done, outcome.produced?.id)
  return done
}
