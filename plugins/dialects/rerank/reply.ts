import type { Call } from '../../../src/contract/call.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { Outcome, Usage } from '../../../src/contract/outcome.ts'
import { errorIn, failedOutcome, statusOfError } from '../../../src/kit/upstream-error.ts'
import { reportedUsage } from '../../../src/kit/usage.ts'
import { type JsonObject, isObject } from '../../../src/lib/json/object.ts'
import { objectAt, objectsIn, tokensAt } from '../../../src/lib/json/read.ts'

/** Whether a reply has ranks: in `results`, or in `data` as Voyage has them. */
export function isRanks(body: JsonObject): boolean {
  return Array.isArray(body.results) || Array.isArray(body.data)
}

/** The outcome of a complete reply. */
export function ranksOutcome(json: unknown): Outcome {
  const error = errorIn(json)
  if (error) return failedOutcome(statusOfError(error), error)
  return { status: 'completed', fault: 'none', usage: usageOf(json) }
}

/** Cohere bills units of searches, others bill tokens. */
function usageOf(json: unknown): Usage | undefined {
  const meta = objectAt(json, 'meta')
  const usage = objectAt(json, 'usage')
  const tokens =
    tokensAt(usage, 'total_tokens') ??
    tokensAt(usage, 'prompt_tokens') ??
    tokensAt(objectAt(meta, 'tokens'), 'input_tokens')
  return reportedUsage({
    inputTokens: tokens,
    outputTokens: tokens === undefined ? undefined : 0,
    searches: tokensAt(objectAt(meta, 'billed_units'), 'search_units'),
  })
}

/** A call, and how many documents it has. */
export interface RankCall extends Call {
  readonly documents: number
}

/** The reply in Cohere's form. `undefined`: it is so already. Throws `GatewayError` for ranks of other documents. */
export function correctedRanks(
  json: JsonObject,
  { call }: { readonly call: RankCall },
): JsonObject | undefined {
  const { data, ...rest } = json
  const isCohere = Array.isArray(json.results)
  const ranks = (isCohere ? json.results : data) as readonly unknown[]
  if (!isRanking(ranks, call.documents)) throw noRanking(call.documents)
  if (isCohere) return undefined
  const results = objectsIn(data).map(({ document, ...rank }) => ({
    ...rank,
    ...(document !== undefined && { document: documentOf(document) }),
  }))
  return { ...rest, results }
}

/** Whether each rank is of a document of the request, and no two are of the same one: clients look them up by the index. */
function isRanking(ranks: readonly unknown[], documents: number): boolean {
  const places = new Set<number>()
  for (const rank of ranks) {
    const place = tokensAt(rank, 'index')
    if (place !== undefined && place < documents) places.add(place)
  }
  return places.size === ranks.length
}

function noRanking(documents: number): GatewayError {
  const message = `The upstream's reply is no ranking of ${documents} documents.`
  return new GatewayError('upstream_invalid_reply', message)
}

function documentOf(document: unknown): unknown {
  return isObject(document) ? document : { text: document }
}
