import { Declined, type Outbound } from '../contract/attempt.ts'
import { toGatewayError } from '../contract/errors.ts'
import type { Routed } from '../contract/exchange.ts'
import type { Outcome, Reply } from '../contract/outcome.ts'
import type { AttemptHandler, Settle } from './attempt-handler.ts'
import type { Environment } from './environment.ts'
import { AttemptFailure } from './failure.ts'

/** One outcome for one attempt, whoever comes first. */
export function settleOnce(exchange: Routed, { hooks }: Pick<Environment, 'hooks'>): Settle {
  const { candidate, attempt } = exchange
  let settled = false
  return (outcome: Outcome) => {
    if (settled) return undefined
    settled = true
    exchange.progress.outcome = outcome
    return hooks.outcome?.({ exchange, candidate, attempt, outcome })
  }
}

/** A hook may send several requests, or wait for none: what nobody took is let go. */
export async function attemptThroughHooks(
  hook: (next: (outbound: Outbound) => Promise<Reply>) => Promise<Reply>,
  send: (outbound: Outbound) => AttemptHandler,
): Promise<Reply> {
  const handlers: AttemptHandler[] = []
  let reply: Reply | undefined
  try {
    reply = await hook((outbound) => {
      const handler = send(outbound)
      handlers.push(handler)
      return handler.reply
    })
    return reply
  } finally {
    for (const handler of handlers) handler.letGoUnless(reply?.body)
  }
}

/** What ended an attempt: its own failure, or what whoever stands around it threw. */
export function toFailure(thrown: unknown): AttemptFailure {
  if (thrown instanceof AttemptFailure) return thrown
  const error = toGatewayError(thrown)
  const fault = error.status < 500 ? 'caller' : 'gateway'
  return new AttemptFailure(error, false, { status: 'failed', fault, error })
}

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
