import type { JsonObject } from '../../../src/lib/json/object.ts'
import { errorIn, failedOutcome, statusOfError } from '../../../src/kit/upstream-error.ts'
import type { Outcome } from '../../../src/contract/outcome.ts'
import { knownUsage } from '../../../src/kit/usage.ts'
import { objectAt, stringAt } from '../../../src/lib/json/read.ts'
import { readUsage } from './codec/usage.ts'

/**
 * What a response object means, from a JSON reply or from a terminal event. A response that failed
 * tells of it itself and is a reply as any; a body that is no response may be an error in disguise.
 */
export function responseOutcome(json: unknown): Outcome {
  const error = isResponse(json) ? undefined : errorIn(json)
  if (error) return failedOutcome(statusOfError(error), error)
  const id = stringAt(json, 'id')
  const model = stringAt(json, 'model')
  const binds = stringAt(json, 'status') === 'completed' ? 'chain' : 'own'
  return {
    status: statuses[stringAt(json, 'status') ?? 'completed'] ?? 'incomplete',
    fault: 'none',
    produced: id === undefined ? undefined : { kind: 'response', id, model, binds },
    usage: objectAt(json, 'usage') && knownUsage(readUsage(json as JsonObject)),
    items: itemIds(json),
  }
}

/**
 * What a stored response means that was only looked up: it has an id and items, and the looking up
 * went well, however the response itself ended. Its tokens were used by the call that made it.
 */
export function storedOutcome(json: unknown): Outcome {
  const outcome = responseOutcome(json)
  if (outcome.error) return outcome
  const { produced, items } = outcome
  return { ...done, produced, items: items ?? [] }
}

/** A compaction is an input for later calls: nothing can be asked for by its id. */
export function compactionOutcome(json: unknown): Outcome {
  const outcome = responseOutcome(json)
  const { produced } = outcome
  if (!produced) return outcome
  const { id, model } = produced
  return { ...outcome, produced: { kind: 'compaction', id, model } }
}

/** A reply that makes nothing: a list, a count, a change. */
export function plainOutcome(json: unknown): Outcome {
  const error = errorIn(json)
  return error ? failedOutcome(statusOfError(error), error) : done
}

/** A resource that is gone, unless the reply says that it is not. */
export function deletedOutcome(json: unknown, deleted: { kind: string; id: string }): Outcome {
  const outcome = plainOutcome(json)
  const isThere = outcome.error || (json as { deleted?: unknown } | null)?.deleted === false
  return isThere ? outcome : { ...outcome, deleted }
}

const done: Outcome = { status: 'completed', fault: 'none' }

function isResponse(json: unknown): boolean {
  return stringAt(json, 'object') === 'response' || stringAt(json, 'status') !== undefined
}

/** A queued response is not complete, though nothing went wrong. */
const statuses: Record<string, Outcome['status']> = {
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
}

function itemIds(json: unknown): string[] {
  const output = (json as { output?: unknown } | null)?.output
  if (!Array.isArray(output)) return []
  return output.map((item) => stringAt(item, 'id')).filter((id) => id !== undefined)
}
