import { Declined, type Outbound } from '../contract/attempt.ts'
import { toGatewayError } from '../contract/errors.ts'
import type { Attempt, Routed } from '../contract/exchange.ts'
import type { Reply } from '../contract/outcome.ts'
import { enterRouted } from '../exchange/record.ts'
import type { AttemptHandler } from './attempt-handler.ts'
import { AttemptFailure } from './failure.ts'
import { type AttemptContext, settle } from './settle.ts'

/**
 * Sends one request through the `onAttempt` hooks. Rejects with an `AttemptFailure`, with `Declined`
 * if a hook excludes the account, or with an error thrown by a hook.
 */
export function sendThroughHooks(
  { exchange, hooks: { attempt } }: AttemptContext,
  outbound: Outbound,
  handlerOf: () => AttemptHandler,
): Promise<Reply> {
  const send = (changed: Outbound) => {
    const handler = handlerOf()
    handler.begin(changed)
    return handler
  }
  if (!attempt) return send(outbound).reply
  return abandonUnused((next) => attempt(exchange, outbound, next), send)
}

/** Runs a hook, which may send any number of requests, and cancels those whose reply it drops. */
async function abandonUnused(
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
    for (const handler of handlers) handler.abandonUnless(reply?.body)
  }
}

/** Converts the end of an attempt, its own failure or an error from a hook, to a failure. */
export function toFailure(thrown: unknown): AttemptFailure {
  if (thrown instanceof AttemptFailure) return thrown
  const error = toGatewayError(thrown)
  const fault = error.status < 500 ? 'caller' : 'gateway'
  return new AttemptFailure(error, false, { status: 'failed', fault, error })
}

/**
 * Makes `attempt` the current attempt of the exchange and sets the number of attempts. Returns a
 * function that restores the previous values if the attempt has sent no request.
 */
export function beginAttempt({ progress }: Routed, attempt: Attempt, attempts: number): () => void {
  const before = { attempt: progress.attempt, attempts: progress.attempts }
  progress.attempt = attempt
  progress.attempts = attempts
  return () => {
    if (attempt.startedAt === undefined) Object.assign(progress, before)
  }
}

/**
 * Sends one request as an attempt of its own, with its own outcome and without failover. Rejects
 * with `GatewayError`, or with `Declined` if a hook excludes the account.
 */
export async function attemptOnce(
  routed: Routed,
  outbound: Outbound,
  hooks: AttemptContext['hooks'],
  handlerOf: (context: AttemptContext) => AttemptHandler,
): Promise<Reply> {
  const exchange = enterRouted(routed, routed.candidate, routed.attempt.number)
  const { attempt } = exchange
  const context: AttemptContext = { exchange, attempt, hooks }
  const undoUnlessSent = beginAttempt(exchange, attempt, exchange.progress.attempts + 1)
  try {
    return await sendThroughHooks(context, outbound, () => handlerOf(context))
  } catch (thrown) {
    undoUnlessSent()
    if (thrown instanceof Declined) throw thrown
    const failure = toFailure(thrown)
    await settle(context, failure.outcome)
    throw failure.error
  }
}
