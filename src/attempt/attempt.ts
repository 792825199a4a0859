import { type AnyPlan, Declined, type SocketPlan } from '../contract/attempt.ts'
import type { Candidate } from '../contract/candidate.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Routed, Routing, Understood } from '../contract/exchange.ts'
import type { Timeouts } from '../contract/limits.ts'
import type { ForwardOperation } from '../contract/operation.ts'
import type { Reply } from '../contract/outcome.ts'
import { enterRouted } from '../exchange/record.ts'
import { isThenable } from '../lib/maybe-promise.ts'
import { nextTurn } from '../lib/turns.ts'
import { within } from '../lib/deadline.ts'
import { poolOf, route } from '../route/route.ts'
import { streamAttempt } from '../upstream/account-stream.ts'
import { contentRelay } from '../upstream/content-relay.ts'
import { type AttemptContext, settle } from '../upstream/settle.ts'
import {
  beginAttempt,
  clarify,
  isUnclear,
  sendThroughHooks,
  toFailure,
} from '../upstream/attempt-once.ts'
import type { AttemptEnvironment } from '../upstream/environment.ts'
import { AttemptFailure, abandonedAttempt } from '../upstream/failure.ts'
import { jsonAttempt } from '../upstream/json-attempt.ts'
import {
  declinedPerTurn,
  isAbandoned,
  wasPerhapsBilled,
  wasStaleConnection,
  wasUnreachable,
} from './failover.ts'
import { prepare } from './prepare.ts'
import type { CreatedResource, StoredResource } from '../contract/stored.ts'
import type { Timing } from '../accounts/latencies.ts'
import { nextFallback } from './fallbacks.ts'

/**
 * Attempts a call with one candidate of its model after another until an account commits to a reply. Fails over
 * only if a retry elsewhere can help, and never after the client has received output. Attempts with models that the call
 * has left count. Rejects with `GatewayError`.
 */
export async function attemptCall(
  exchange: Understood,
  operation: ForwardOperation,
  environment: AttemptEnvironment,
): Promise<Reply> {
  const routed = route(exchange, environment)
  const ranking = isThenable(routed) ? await routed : routed
  const answered = answerFromStore(exchange, operation, ranking, environment)
  if (answered) return answered
  ranking.assertOwnerAvailable()
  let last: GatewayError | undefined
  let declined = 0
  /** The candidate for a second attempt after a stale connection, if there is no other. */
  let retry: Candidate | undefined
  const before = exchange.progress.attempts
  const most = environment.limits.attempts
  for (let number = before + 1; number <= most; number++) {
    // The last attempt is for a fallback, if one follows this failure.
    if (number === most && last && nextFallback(exchange, operation, last)) break
    const candidate = ranking.next() ?? retry
    if (!candidate) break
    retry = undefined
    const present = enterRouted(exchange, candidate, number)
    const timing = timingOf(present, environment)
    try {
      const reply = await attempt(present, operation, environment)
      releaseBody(present)
      // A stream that is whole at once announces no first output.
      if (!exchange.call.stream || present.attempt.outcome) timing?.answered()
      return reply
    } catch (thrown) {
      if (thrown instanceof Declined) {
        // Each plan may be long work, which declined candidates do not limit.
        if (isAbandoned(present)) throw abandonedAttempt().error
        ranking.exclude(candidate, thrown)
        number--
        if (++declined % declinedPerTurn === 0) await nextTurn(exchange.caller.keyId)
        continue
      }
      const failure = toFailure(thrown)
      if (failure.outcome.fault === 'account') timing?.failed()
      if (ranking.pinned && wasUnreachable(present.attempt, failure.error)) {
        throw ranking.unreachableError(failure.error)
      }
      const isStale = number === before + 1 && wasStaleConnection(present.attempt, failure.error)
      const error = finalError(present, operation, failure, isStale)
      if (error) throw error
      if (ranking.pinned) throw failure.error
      last = failure.error
      if (isStale) retry = candidate
    }
  }
  throw last ? exhausted(last) : ranking.unavailableError()
}

/** Measures the attempt for a strategy that compares how long accounts take. */
function timingOf(
  { model, call, candidate, attempt: begun }: Routed,
  { latencies }: AttemptEnvironment,
): Timing | undefined {
  if (model.strategy !== 'latency') return undefined
  const timing = latencies.begin(candidate, call.stream)
  if (call.stream) begun.onOutput = timing.answered
  return timing
}

/**
 * Releases the request. A native stream that keep-alives have begun may still turn out to be one document, which is not
 * read without the request; a translated attempt has read it already.
 */
function releaseBody({ body, call, attempt, candidate }: Routed): void {
  const isOpen = call.stream && candidate.native && !attempt.isStream
  if (isOpen) attempt.onStream = () => body.release?.()
  else body.release?.()
}

/**
 * Prepares one attempt and sends it. Resolves when the account commits to a reply. Rejects with
 * `Declined` if the account cannot serve the call, else with an `AttemptFailure` that is settled.
 */
async function attempt(
  exchange: Routed,
  operation: ForwardOperation,
  environment: AttemptEnvironment,
): Promise<Reply> {
  const { attempt: present } = exchange
  const slot = environment.slots.take(exchange.candidate.account)
  const undoUnlessSent = beginAttempt(exchange, present, present.number)
  let context: AttemptContext = { exchange, attempt: present, hooks: environment.hooks, slot }
  let plan: AnyPlan | undefined
  try {
    const prepared = prepare(exchange, operation, environment)
    plan = isThenable(prepared) ? await prepared : prepared
    if (plan.persist) context = { ...context, persist: limited(plan, environment.timeouts) }
    return await send(plan, context, environment)
  } catch (thrown) {
    undoUnlessSent()
    if (thrown instanceof Declined) throw thrown
    const known = toFailure(thrown)
    const failure = isUnclear(known) ? await clarify(known, context) : known
    await settle({ ...context, persist: undefined }, failure.outcome)
    throw thrown instanceof AttemptFailure ? translateFailure(failure, plan) : failure
  } finally {
    slot?.release()
  }
}

/** The plan's `persist`, which rejects when it takes longer than the outcome may. */
function limited({ persist }: AnyPlan, { outcomeMs }: Pick<Timeouts, 'outcomeMs'>) {
  return () => {
    const written = persist?.()
    return (
      written && within(outcomeMs, written, () => new Error('A record was not written in time.'))
    )
  }
}

function send(
  plan: AnyPlan,
  context: AttemptContext,
  environment: AttemptEnvironment,
): Promise<Reply> {
  if ('connect' in plan) return sendHandshake(plan, context, environment)
  return sendThroughHooks(context, plan.outbound, () => {
    if ('content' in plan) return contentRelay(context, environment, plan.content)
    return context.exchange.call.stream
      ? streamAttempt(context, plan, environment)
      : jsonAttempt(context, plan, environment)
  })
}

/** Loads the library of WebSockets, which few processes need. */
async function sendHandshake(
  plan: SocketPlan,
  context: AttemptContext,
  environment: AttemptEnvironment,
): Promise<Reply> {
  const { socketAttempt } = await import('../upstream/socket-attempt.ts')
  return sendThroughHooks(context, plan.outbound, () => socketAttempt(context, environment, plan))
}

function translateFailure(failure: AttemptFailure, plan: AnyPlan | undefined): AttemptFailure {
  if (!plan?.translateError) return failure
  return new AttemptFailure(plan.translateError(failure.error), failure.retryable, failure.outcome)
}

/** The error for the client if no further attempt may follow this failure. */
function finalError(
  exchange: Routed,
  operation: ForwardOperation,
  failure: AttemptFailure,
  isStale: boolean,
): GatewayError | undefined {
  if (!failure.retryable || isAbandoned(exchange)) return failure.error
  const isBilled = wasPerhapsBilled(exchange.attempt, operation, isStale)
  return isBilled ? exhausted(failure.error) : undefined
}

/** The error after failover, with `retry: false`: retries of the client would multiply the load. */
function exhausted(error: GatewayError): GatewayError {
  return new GatewayError(error.code, error.message, {
    status: error.status,
    headers: error.headers,
    retry: false,
    ...(error.upstream && { upstream: error.upstream }),
    upstreamCode: error.upstreamCode,
    cause: error.cause,
  })
}

/**
 * Serves a call that needs no account: the gateway stores the resource that it refers to, or creates
 * one. Returns `undefined` for calls that need an account.
 */
export function answerFromStore(
  exchange: Understood,
  { forward }: ForwardOperation,
  { stored }: Pick<Routing, 'stored'>,
  environment: AttemptEnvironment,
): Promise<Reply> | undefined {
  if ('plan' in forward) return undefined
  if (stored && forward.serveStored) {
    const resource = exchange.isDryRun ? unchanged(stored) : stored
    return Promise.resolve(forward.serveStored(exchange, resource))
  }
  if (!forward.createStored || poolOf(exchange).length > 0) return undefined
  return store(exchange, forward.createStored(exchange), environment)
}

/** The resource of a dry run: it answers as if it were changed, and stays as it is. */
function unchanged({ value }: StoredResource): StoredResource {
  return {
    value,
    update: async (next) => next(value),
    updateLater: async () => {},
    delete: async () => {},
  }
}

/** Resolves after the store has the resource, so that the client's next call can find it. */
async function store(
  exchange: Understood,
  { kind, id, value, reply }: CreatedResource,
  { hooks }: AttemptEnvironment,
): Promise<Reply> {
  const produced = { kind, id, model: undefined, binds: 'own', stored: value } as const
  await hooks.produced?.({ exchange, candidate: undefined, produced })
  return reply
}
