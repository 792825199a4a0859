import type { FallbackKind } from '../contract/account.ts'
import type { Fallback } from '../contract/call.ts'
import { type GatewayError, toGatewayError } from '../contract/errors.ts'
import type { Understood } from '../contract/exchange.ts'
import type { ForwardOperation, PerformOperation } from '../contract/operation.ts'
import { enterModel } from '../exchange/record.ts'
import { exceedsContext, mentionsContextLength } from '../kit/codec/failure.ts'
import { fallbacksOf, standIn } from '../kit/fallbacks.ts'
import { isAbandoned, wasPerhapsBilled, wasStaleConnection } from './failover.ts'

type AnyOperation = ForwardOperation | PerformOperation

/** A pool may have thousands of accounts, and a log lists few of them. */
const mostExcluded = 20

/**
 * Serves a call with its model, and with one fallback after another while each fails in a way that the next one is for.
 * `serve` rejects before the reply has begun; all models together have `mostAttempts`. Rejects with the error of the model
 * that the client asked for.
 */
export async function serveWithFallbacks<T>(
  exchange: Understood,
  operation: AnyOperation,
  mostAttempts: number,
  serve: (exchange: Understood, operation: AnyOperation) => Promise<T>,
): Promise<T> {
  const { model: asked, progress } = exchange
  let first: unknown
  for (;;) {
    try {
      return await serve(exchange, operation)
    } catch (thrown) {
      if (isAbandoned(exchange)) throw thrown
      first ??= thrown
      const error = toGatewayError(thrown)
      const isSpent = progress.attempts >= mostAttempts
      const next = isSpent ? undefined : nextFallback(exchange, operation, error)
      if (!next) throw first
      const { fallback, on } = next
      const { name: model } = exchange.model
      const excluded = progress.routing?.excluded.slice(0, mostExcluded) ?? []
      const { code } = error
      progress.left = [
        ...progress.left,
        { model, next: fallback.model.name, on, error: code, excluded },
      ]
      enterModel(exchange, standIn(asked, fallback))
    }
  }
}

/** The fallback that a call may try after an error, and the kind of failure that it is for; `undefined`: none. */
export function nextFallback(
  exchange: Understood,
  operation: AnyOperation,
  error: GatewayError,
): { readonly fallback: Fallback; readonly on: FallbackKind } | undefined {
  const { model, progress, dialect, snapshot } = exchange
  if (!model.fallbacks || !mayFallBack(exchange, operation, error)) return undefined
  const kind = failureKind(error, exchange)
  if (!kind) return undefined
  // What an earlier model lacks, a later failure does not bring back.
  const kinds = [kind, ...progress.left.map(({ on }) => on)]
  const tried = new Set([model.name, ...progress.left.map((one) => one.model)])
  for (const fallback of fallbacksOf(exchange)) {
    const { name } = fallback.model
    const on = tried.has(name) ? undefined : kinds.find((one) => fallback.on.includes(one))
    if (on && snapshot.pool(name, dialect, operation.capability).length > 0) return { fallback, on }
  }
  return undefined
}

/**
 * Capabilities whose calls another model can serve. Numbers of tokens, embeddings and compacted histories are of use
 * with the model that they are of.
 */
const replaceable: ReadonlySet<string> = new Set([
  'generate',
  'generate-image',
  'edit-image',
  'speak',
  'transcribe',
  'translate-audio',
  'moderate',
  'rerank',
  'video',
])

/**
 * What a call continues or reads belongs to the account of its model. An account that may have begun to work on it bills
 * it, whatever the failure is.
 */
function mayFallBack(
  { call, progress }: Understood,
  operation: AnyOperation,
  error: GatewayError,
): boolean {
  const { routing, attempt } = progress
  if (!('forward' in operation) || !replaceable.has(operation.capability)) return false
  if (call.refersTo.length > 0 || call.pin || routing?.pinned || routing?.stored) return false
  return !attempt || !wasPerhapsBilled(attempt, operation, wasStaleConnection(attempt, error))
}

/** The kinds of fallbacks, by the codes of errors that alone say the kind. Codes of the gateway's own limits are among them. */
const kinds: ReadonlyMap<string, FallbackKind> = new Map<string, FallbackKind>([
  ['budget_exceeded', 'budget'],
  ['budget_in_use', 'budget'],
  ['model_unpriced', 'budget'],
  ['rate_limited', 'rate_limited'],
  ['context_length_exceeded', 'context_length'],
  ['no_account_available', 'unavailable'],
  ['upstream_account_refused', 'unavailable'],
  ['upstream_invalid_reply', 'unavailable'],
  ['upstream_stream_broken', 'unavailable'],
  ['upstream_timeout', 'unavailable'],
  ['upstream_unreachable', 'unavailable'],
])

/** The kind of a failure; `undefined` for one that no other model mends. */
function failureKind(error: GatewayError, exchange: Understood): FallbackKind | undefined {
  const known = kinds.get(error.code)
  if (known) return known
  // Every account has declined a field of the request.
  if (error.code === 'invalid_value' && exchange.progress.routing) return 'refused'
  if (error.code !== 'upstream_rejected') return undefined
  const { status } = error
  if (status === 429) return 'rate_limited'
  if (status >= 500 || status === 408) return 'unavailable'
  return isTooLong(error, exchange) ? 'context_length' : 'refused'
}

/** A translation has recognised it already. */
function isTooLong(
  { upstream, upstreamCode: code, message, status }: GatewayError,
  { dialect }: Understood,
): boolean {
  if (!upstream) return mentionsContextLength(status, { code, message })
  const { exceedsContext: exceeds = exceedsContext } = dialect.generate?.codec ?? {}
  return exceeds({ status: upstream.status, json: upstream.json })
}
