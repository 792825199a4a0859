import type { Reply, Routed } from '../exchange.ts'
import { Declined, type Outbound } from '../plugin.ts'
import type { AttemptHandler, Settle } from './attempt-handler.ts'
import type { Environment } from './environment.ts'
import { settleOnce } from './settle-once.ts'
import { attemptThroughHooks } from './through-hooks.ts'
import { toFailure } from './to-failure.ts'

/**
 * Each request is an attempt with an outcome of its own. Rejects with `GatewayError`, or with
 * `Declined` where a hook has the account left alone.
 */
export async function attemptOnce(
  exchange: Routed,
  outbound: Outbound,
  { hooks }: Pick<Environment, 'hooks'>,
  handlerOf: (settle: Settle) => AttemptHandler,
): Promise<Reply> {
  const { progress, candidate } = exchange
  const { account, upstreamEndedAt } = progress
  progress.account = candidate.account
  progress.attempts++
  progress.upstreamEndedAt = undefined
  const settle = settleOnce(exchange, { hooks })
  let isAsked = false
  const send = (changed: Outbound) => {
    isAsked = true
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
    if (!isAsked) {
      // Whoever was asked before is the last one.
      progress.attempts--
      Object.assign(progress, { account, upstreamEndedAt })
    }
    if (thrown instanceof Declined) throw thrown
    const failure = toFailure(thrown)
    await settle(failure.outcome)
    throw failure.error
  }
}
