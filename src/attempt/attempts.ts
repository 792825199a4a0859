import type { Candidate } from '../contract/candidate.ts'
import { answerHere } from './answer-here.ts'
import { askWith } from './asking.ts'
import { rankCandidates } from '../route/candidates.ts'
import type { ForwardOperation } from '../contract/operation.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Loss } from '../contract/call.ts'
import type { Progress, Routed, Understood } from '../contract/exchange.ts'
import type { Reply } from '../contract/outcome.ts'
import { isThenable } from '../lib/maybe-promise.ts'
import { mayCost, wasStale, wasUnread } from './failover.ts'
import { type Approach, Declined, type Outbound } from '../contract/attempt.ts'
import { enterRouted } from '../exchange/record.ts'
import { approachTranslated } from '../translate/approach.ts'
import { approachCount } from '../translate/count.ts'
import { approachNatively } from '../upstream/native.ts'
import type { Settle } from '../upstream/attempt-handler.ts'
import type { Environment } from '../upstream/environment.ts'
import { AttemptFailure } from '../upstream/failure.ts'
import { JsonAttempt } from '../upstream/json-attempt.ts'
import { attemptThroughHooks, settleOnce, toFailure } from '../upstream/attempt-once.ts'
import { StreamRelay } from '../upstream/stream-relay.ts'

/**
 * Asks one account after another until one commits to a reply. Moves on only where the failure was
 * the account's, and never after the client has been shown any output.
 */
export async function attemptCall(
  exchange: Understood,
  operation: ForwardOperation,
  environment: Environment,
): Promise<Reply> {
  const ranked = rankCandidates(exchange, environment.hooks)
  const ranking = isThenable(ranked) ? await ranked : ranked
  const answered = answerHere(exchange, operation, ranking, environment)
  if (answered) return answered
  ranking.refuseIfPinnedToNobody()
  let last: GatewayError | undefined
  /** An account to ask a second time, where there is no other. */
  let again: Candidate | undefined
  for (let attempt = 1; attempt <= environment.limits.attempts; attempt++) {
    const candidate = ranking.next() ?? again
    if (!candidate) break
    again = undefined
    const routed = enterRouted(exchange, candidate, attempt)
    const settle = settleOnce(routed, environment)
    const { account, attempts, upstreamStartedAt, upstreamEndedAt } = exchange.progress
    try {
      return await attemptAccount(routed, operation, environment, settle)
    } catch (thrown) {
      const { progress } = exchange
      if (progress.upstreamStartedAt === undefined) {
        // Nobody was asked: whoever was asked before is the last one.
        const before = { account, attempts, upstreamStartedAt, upstreamEndedAt }
        Object.assign(progress, before, { losses: none })
      }
      if (thrown instanceof Declined) {
        ranking.exclude(candidate, thrown)
        attempt--
        continue
      }
      const failure = toFailure(thrown)
      await settle(failure.outcome)
      if (!failure.retryable || isAbandoned(exchange)) throw failure.error
      const { paid } = operation.forward
      const isStale = attempt === 1 && wasStale(progress, failure.error)
      const wasRead = progress.upstreamAsked && !(isStale && wasUnread(progress))
      if (paid && mayCost(paid, failure, wasRead)) throw exhausted(failure.error)
      if (ranking.pinned) throw failure.error
      last = failure.error
      if (isStale) again = candidate
    }
  }
  throw last ? exhausted(last) : ranking.nobodyLeft()
}

function attemptAccount(
  exchange: Routed,
  operation: ForwardOperation,
  environment: Environment,
  settle: Settle,
): Promise<Reply> {
  const { progress, candidate, attempt } = exchange
  progress.attempts = attempt
  progress.account = candidate.account
  nobodyAsked(progress)
  progress.losses = none
  const { approach } = operation.forward
  if (approach) {
    const asking = askWith(exchange, environment)
    // What has to be asked on the way is no part of what is paid for, and no attempt at it.
    const forget = () => {
      nobodyAsked(progress)
      progress.attempts = attempt
    }
    return approach(exchange, environment.translation, asking)
      .finally(forget)
      .then((found) => follow(found, exchange, environment, settle))
  }
  const isGenerated = operation.capability === 'generate' && exchange.dialect.generate
  const mappers = isGenerated ? environment.hooks.events(exchange) : []
  const asWritten = candidate.native && !progress.ranking?.kept
  const asIs = asWritten && mappers.length === 0
  if (asIs || (candidate.native && !isGenerated)) {
    return follow(approachNatively(exchange, operation), exchange, environment, settle)
  }
  const { translation } = environment
  if (operation.capability === 'count-tokens') {
    const asked = approachCount(exchange, translation)
    return asked.then((approach) => follow(approach, exchange, environment, settle))
  }
  return approachTranslated(exchange, translation, mappers, asWritten ? operation : undefined).then(
    (approach) => follow(approach, exchange, environment, settle),
  )
}

const none: readonly Loss[] = []

function nobodyAsked(progress: Progress): void {
  progress.upstreamStartedAt = undefined
  progress.upstreamAsked = false
  progress.upstreamReused = false
  progress.upstreamEndedAt = undefined
}

function follow(
  approach: Approach,
  exchange: Routed,
  environment: Environment,
  settle: Settle,
): Promise<Reply> {
  const settled = settleWith(approach, settle)
  const send = (changed: Outbound) => {
    const handler = exchange.call.stream
      ? new StreamRelay(exchange, approach.observer(), environment, settled)
      : new JsonAttempt(exchange, approach.read, environment, settled)
    handler.begin(changed)
    return handler
  }
  const { attempt } = environment.hooks
  const reply = attempt
    ? attemptThroughHooks((next) => attempt(exchange, approach.outbound, next), send)
    : send(approach.outbound).reply
  return approach.tell ? reply.catch((thrown) => Promise.reject(retold(thrown, approach))) : reply
}

/** Nothing is settled before what an approach has to write down has been written. */
function settleWith({ remember }: Approach, settle: Settle): Settle {
  if (!remember) return settle
  return (outcome) => {
    const written = remember()
    const settled = settle(outcome)
    if (!written || !settled) return written ?? settled
    return Promise.all([written, settled]).then(() => {})
  }
}

function retold(thrown: unknown, { tell }: Approach): unknown {
  if (!(thrown instanceof AttemptFailure) || !tell) return thrown
  return new AttemptFailure(tell(thrown.error), thrown.retryable, thrown.outcome)
}

/** A client that has left gets no further account asked, unless its work was to be done anyway. */
function isAbandoned({ client, call }: Understood): boolean {
  return client.gone && !call.finishWithoutClient
}

/** The gateway has tried for the client; a client that tries again would multiply the load. */
function exhausted(error: GatewayError): GatewayError {
  return new GatewayError(error.code, error.message, {
    status: error.status,
    headers: error.headers,
    retry: false,
    ...(error.upstream && { upstream: error.upstream }),
    cause: error.cause,
  })
}
