import { Declined } from '../contract/attempt.ts'
import type { Exclusion, LeftModel, Loss, ResolvedModel } from '../contract/call.ts'
import type { Candidate } from '../contract/candidate.ts'
import { type ErrorCode, type GatewayError, toGatewayError } from '../contract/errors.ts'
import type { Ended, Received, Understood } from '../contract/exchange.ts'
import type { ForwardOperation } from '../contract/operation.ts'
import { formatError, lossesOfExchange } from '../exchange/deliver.ts'
import { enterRouted } from '../exchange/record.ts'
import { nextTurn } from '../lib/turns.ts'
import type { Chance } from '../route/choose.ts'
import { exclusionsOf } from '../route/exclusions.ts'
import { type Ranking, poolOf, route } from '../route/route.ts'
import { beginAttempt } from '../upstream/attempt-once.ts'
import type { AttemptEnvironment } from '../upstream/environment.ts'
import { answerFromStore } from './attempt.ts'
import { declinedPerTurn } from './failover.ts'
import { serveWithFallbacks } from './fallbacks.ts'
import { prepare } from './prepare.ts'

/** How a request would be served now. */
export interface Explanation {
  /** The id of the operation; absent if the path is of none. */
  readonly operation: string | undefined
  /** Absent if the request is refused before its model is known. */
  readonly model: ResolvedModel | undefined
  /** The models that the call would leave for another one, the first first. */
  readonly left: readonly LeftModel[]
  /** The rule that chooses the account; absent if the call is not routed. */
  readonly rule: string | undefined
  /** The accounts that can serve the call, the likeliest first. */
  readonly candidates: readonly Chance[]
  readonly excluded: readonly Exclusion[]
  /** The account that would be asked first. */
  readonly chosen: Candidate | undefined
  /** Whether no other account may serve the call. */
  readonly isPinned: boolean
  /** Whether the conversation that the call uses would first move to the chosen account. */
  readonly moves: boolean
  /** The fields that the chosen account would not get. */
  readonly losses: readonly Loss[]
  /** The answer of the gateway itself; absent if the chosen account answers. */
  readonly answer: ExplainedAnswer | undefined
}

/** An answer that needs no account. */
export interface ExplainedAnswer {
  readonly status: number
  /** Absent for a success. */
  readonly code?: ErrorCode
  readonly message?: string
  readonly param?: string | undefined
  /** An error as the client gets it, in its dialect. */
  readonly body?: unknown
}

/** What the stages up to the choice of an account find. */
type Found = Pick<Explanation, 'candidates' | 'chosen' | 'answer'>

/**
 * Explains a request: runs `understood`, the stages before routing, then routes and prepares the call as
 * an attempt does. Nothing is sent. Errors of the client's request are the answer; `onDefect` gets others.
 */
export async function explainRequest(
  exchange: Received,
  understood: () => Promise<{ exchange: Understood; operation: ForwardOperation }>,
  environment: AttemptEnvironment,
  onDefect: (error: unknown) => void,
): Promise<Explanation> {
  let found = nothing
  let isPinned = false
  try {
    const { exchange: call, operation } = await understood()
    const onRanked = (ranking: Pick<Ranking, 'pinned'>) => {
      isPinned = ranking.pinned
    }
    found = await serveWithFallbacks(call, operation, environment.limits.attempts, () =>
      choose(call, operation, environment, onRanked),
    )
  } catch (thrown) {
    const error = toGatewayError(thrown)
    if (error.code === 'internal_error') onDefect(error.cause ?? error)
    found = { ...nothing, answer: answerOf(exchange, error) }
  }
  const ended: Ended = exchange
  const { routing } = ended.progress
  return {
    ...found,
    isPinned,
    operation: ended.operation?.id,
    model: ended.model,
    left: ended.progress.left,
    rule: routing?.decidedBy,
    excluded: exclusionsOf(ended),
    moves: found.chosen !== undefined && routing?.relocation !== undefined,
    losses: found.chosen ? lossesOfExchange(ended) : [],
  }
}

const nothing: Found = { candidates: [], chosen: undefined, answer: undefined }

/** Follows `attemptCall` up to the request to an account. Rejects with `GatewayError`. */
async function choose(
  exchange: Understood,
  operation: ForwardOperation,
  environment: AttemptEnvironment,
  onRanked: (ranking: Pick<Ranking, 'pinned'>) => void,
): Promise<Found> {
  const admitting = environment.hooks.understood(exchange)
  if (admitting) await admitting
  // Each of these steps visits all accounts of the model.
  poolOf(exchange)
  await nextTurn()
  const ranking = await route(exchange, environment)
  await nextTurn()
  const stored = await answerFromStore(exchange, operation, ranking, environment)
  if (stored) return { ...nothing, answer: { status: stored.status } }
  // An account that is away is the only one all the same.
  onRanked(ranking)
  ranking.assertOwnerAvailable()
  for (let declined = 0; ; declined++) {
    if (declined % declinedPerTurn === declinedPerTurn - 1) await nextTurn()
    const candidate = ranking.next()
    if (!candidate) throw ranking.unavailableError()
    const routed = enterRouted(exchange, candidate, 1)
    const undo = beginAttempt(routed, routed.attempt, 0)
    try {
      await prepare(routed, operation, environment)
      const { candidate: chosen } = routed.attempt
      return { candidates: ranking.chances(), chosen, answer: undefined }
    } catch (thrown) {
      undo()
      if (!(thrown instanceof Declined)) throw thrown
      ranking.exclude(candidate, thrown)
    }
  }
}

function answerOf(exchange: Ended, error: GatewayError): ExplainedAnswer {
  const { code, message, param } = error
  const { status, body } = formatError(exchange, error)
  return { status, code, message, param, body }
}
