import type { AttemptPlan } from '../contract/attempt.ts'
import type { Attempt, Routed } from '../contract/exchange.ts'
import type { Outcome } from '../contract/outcome.ts'
import type { Hooks } from '../hooks/compose.ts'

/** The attempt that a handler works for, and where its outcome goes. */
export interface AttemptContext {
  readonly exchange: Routed
  readonly attempt: Attempt
  readonly hooks: Pick<Hooks, 'attempt' | 'outcome' | 'produced'>
  /** Writes the plan's own record before the last bytes leave, besides the records of plugins. */
  readonly remember?: AttemptPlan['persist']
}

/**
 * Settles an attempt: records how it ended and notifies the plugins. The first outcome counts.
 * Resolves when the reply's last bytes may leave: the plan's own record is written, and the critical
 * plugins are done or out of time. `undefined`: there is nothing to wait for.
 */
export function settle(context: AttemptContext, outcome: Outcome): Promise<void> | undefined {
  const { exchange, attempt, hooks, remember } = context
  if (attempt.outcome) return undefined
  attempt.outcome = outcome
  exchange.progress.outcome = outcome
  const written = remember?.()
  const { candidate } = attempt
  const notified = hooks.outcome?.({ exchange, candidate, attempt, outcome })
  if (!written || !notified) return written ?? notified
  return Promise.all([written, notified]).then(() => {})
}
