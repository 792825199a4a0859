import type { Outcome, Reply, Routed } from '../exchange.ts'
import type { Outbound } from '../plugin.ts'
import type { AttemptHandler, Settle } from './attempt-handler.ts'
import type { Environment } from './environment.ts'
import { AttemptFailure } from './failure.ts'
import { attemptThroughHooks } from './through-hooks.ts'

/** Each request is an attempt with an outcome of its own. */
export async function attemptOnce(
  exchange: Routed,
  outbound: Outbound,
  { hooks }: Pick<Environment, 'hooks'>,
  handlerOf: (settle: Settle) => AttemptHandler,
): Promise<Reply> {
  const { progress, candidate } = exchange
  progress.account = candidate.account
  progress.attempts++
  progress.upstreamEndedAt = undefined
  const settle = (outcome: Outcome) => {
    progress.outcome = outcome
    return hooks.outcome?.({ exchange, candidate, attempt: exchange.attempt, outcome })
  }
  const send = (changed: Outbound) => {
    const handler = handlerOf(settle)
    handler.begin(changed)
    return handler
  }
  const { attempt } = hooks
  try {
    return await (attempt
      ? attemptThroughHooks((next) => attempt(exchange, outbound, next), send)
      : send(outbound).reply)
  } catch (thrown) {
    if (!(thrown instanceof AttemptFailure)) throw thrown
    await settle(thrown.outcome)
    throw thrown.error
  }
}
