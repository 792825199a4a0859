import { Declined } from '../contract/attempt.ts'
import type { Outbound } from '../contract/outbound.ts'
import { toGatewayError } from '../contract/errors.ts'
import type { Attempt, Routed } from '../contract/exchange.ts'
import type { Reply } from '../contract/outcome.ts'
import { enterRouted, tooLate } from '../exchange/record.ts'
import type { RunningAttempt } from './running-attempt.ts'
import { AttemptFailure, withSubject } from './failure.ts'
import { type AttemptContext, settle } from './settle.ts'

/**
 * Sends one request through the `onAttempt` hooks. Rejects with an `AttemptFailure`, with `Declined`
 * if a hook excludes the account, or with an error thrown by a hook.
 */
export function sendThroughHooks(
  context: AttemptContext,
  outbound: Outbound,
  attemptFor: () => RunningAttempt,
): Promise<Reply> {
  const { exchange, hooks } = context
  const { attempt } = hooks
  const send = (changed: Outbound) => {
    const begun = attemptFor()
    exchange.progress.trace?.sending(exchange, changed)
    begun.begin(changed)
    return begun
  }
  if (!attempt) return send(outbound).reply
  const running: RunningAttempt[] = []
  let hasEnded = false
  const reply = attempt(exchange, outbound, (changed) => {
    // The account may have been left, and its slot is free.
    if (hasEnded) return Promise.reject(tooLate())
    const begun = send(changed)
    running.push(begun)
    return begun.reply
  })
  // Nearly always the hooks pass on the reply of one request: there is no other to end. For the gain see `guardReply`.
  if (running.length === 1 && reply === running[0]!.reply) return reply
  return endOthers(context, running, reply).finally(() => (hasEnded = true))
}

/**
 * Waits for the hooks, which may send any number of requests. Cancels those whose reply they drop, and
 * settles the attempt with a failure that they have replaced.
 */
async function endOthers(
  context: AttemptContext,
  running: readonly RunningAttempt[],
  hooked: Promise<Reply>,
): Promise<Reply> {
  let reply: Reply | undefined
  let thrown: unknown
  try {
    reply = await hooked
    return reply
  } catch (error) {
    thrown = error
    throw error
  } finally {
    const isKept = abandonOthers(running, reply?.body)
    const failure = running.findLast(({ failure }) => failure)?.failure
    // A failure that the hooks throw on is settled by the attempt, with what it turns out to be about.
    if (failure && !isKept && !(thrown instanceof AttemptFailure)) {
      await settle({ ...context, persist: undefined }, failure.outcome)
    }
  }
}

/** Ends the attempts that do not serve `body`. Returns whether one of them does, and so settles later. */
function abandonOthers(
  running: readonly RunningAttempt[],
  body: Reply['body'] | undefined,
): boolean {
  const kept = running.findLast((one) => one.serves(body))
  for (const one of running) if (one !== kept) one.abandonFor(kept)
  return kept !== undefined
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
  const { attempt: last, attempts: count, former } = progress
  const before = { attempt: last, attempts: count, former }
  if (last) progress.former = [...former, last]
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
  attemptFor: (context: AttemptContext) => RunningAttempt,
): Promise<Reply> {
  const exchange = enterRouted(routed, routed.candidate, routed.attempt.number)
  const { attempt } = exchange
  const context: AttemptContext = { exchange, attempt, hooks }
  const undoUnlessSent = beginAttempt(exchange, attempt, exchange.progress.attempts + 1)
  try {
    return await sendThroughHooks(context, outbound, () => attemptFor(context))
  } catch (thrown) {
    undoUnlessSent()
    if (thrown instanceof Declined) throw thrown
    const known = toFailure(thrown)
    const failure = isUnclear(known) ? await clarify(known, context) : known
    await settle(context, failure.outcome)
    throw failure.error
  }
}

/** Asks the plugins what an unclear refusal is about, before it decides on failover and the caller's error. */
export async function clarify(
  failure: AttemptFailure,
  { exchange, attempt: { candidate }, hooks }: AttemptContext,
): Promise<AttemptFailure> {
  const { outcome } = failure
  const about = await hooks.refusal?.({ exchange, candidate, outcome })
  return about ? withSubject(failure, about) : failure
}

/** Whether a failure waits for `clarify`. */
export function isUnclear({ outcome }: AttemptFailure): boolean {
  return outcome.about === 'unclear'
}
