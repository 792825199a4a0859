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

/** The reply in Cohere's form. `undefined`: it is so already. */
export function correctedRanks(json: JsonObject): JsonObject | undefined {
  const { data, ...rest } = json
  if (json.results !== undefined || !Array.isArray(data)) return undefined
  const results = objectsIn(data).map(({ document, ...rank }) => ({
    ...rank,
    ...(document !== undefined && { document: documentOf(document) }),
  }))
  return { ...rest, results }
}

function documentOf(document: unknown): unknown {
  return isObject(document) ? document : { text: document }
}
