import { type JsonObject, isObject } from '../../../src/lib/json/object.ts'
import {
  errorIn,
  failedOutcome,
  faultOfStatus,
  hasFailed,
  spoilt,
  statusOfError,
} from '../../../src/kit/upstream-error.ts'
import type { EndedResponse, Outcome } from '../../../src/contract/outcome.ts'
import { tokensOfOutput } from '../../../src/kit/estimate.ts'
import { knownUsage } from '../../../src/kit/usage.ts'
import { objectAt, objectsIn, stringAt } from '../../../src/lib/json/read.ts'
import { isResponse, replyErrorIn } from './codec/decode-reply/failure.ts'
import { readUsage } from './codec/usage.ts'
import { disclosedIn } from './named-data.ts'

/**
 * Returns the outcome of a response object from a JSON reply or a terminal event. `event` is the status
 * in the event's name, which counts if the response has no final status. A response that failed or is
 * incomplete is a valid reply; any other body with an error is an error with a 2xx status.
 */
export function responseOutcome(json: unknown, event?: EndStatus): Outcome {
  const status = endStatusOf(json, event)
  const endsAsItSays = hasFailed({ status }) || stringAt(json, 'status') === 'incomplete'
  const error = endsAsItSays ? undefined : errorIn(json)
  if (error) return failedOutcome(statusOfError(error), error)
  const id = stringAt(json, 'id')
  const model = stringAt(json, 'model')
  const binds = status === 'completed' ? 'chain' : 'own'
  const httpStatus = accountStatusOf(objectAt(json, 'error'))
  return {
    status,
    fault: 'none',
    produced: id === undefined ? undefined : { kind: 'response', id, model, binds },
    usage: objectAt(json, 'usage') && knownUsage(readUsage(json as JsonObject)),
    finishReasons: finishReasonsOf(json, status),
    items: itemIds(json),
    ...disclosed((json as { output?: unknown } | null)?.output),
    ...(httpStatus !== undefined && { httpStatus }),
  }
}

/** A response that is complete has no reason; its status is one. */
function finishReasonsOf(json: unknown, status: EndStatus): string[] | undefined {
  const reason = stringAt(objectAt(json, 'incomplete_details'), 'reason')
  if (reason !== undefined) return [reason]
  return status === 'completed' ? [status] : undefined
}

function disclosed(items: unknown): Pick<Outcome, 'discloses'> {
  const discloses = disclosedIn(items)
  return discloses.length > 0 ? { discloses } : {}
}

/** The HTTP status of a failed response whose error is known to be the account's. */
function accountStatusOf(error: Record<string, unknown> | undefined): number | undefined {
  const status = error ? statusOfError(error) : unknownStatus
  return status !== unknownStatus && faultOfStatus(status) === 'account' ? status : undefined
}

/** The status of errors that say nothing that is known. */
const unknownStatus = 502

/** The same for the reply to a call, which may be a message only. */
export function createdOutcome(json: unknown): Outcome {
  const error = replyErrorIn(json)
  if (!error || isFailedResponse(json)) return responseOutcome(json)
  return failedOutcome(statusOfError(error), error)
}

/** The same for the reply to a call that waits for a whole response. */
export function answeredOutcome(json: unknown): Outcome {
  const outcome = createdOutcome(json)
  if (outcome.error) return outcome
  const { status, httpStatus } = outcome
  if (hasFailed({ status })) return httpStatus === undefined ? outcome : spoilt(outcome)
  const { status: reported, output } = json as JsonObject
  // The client asks for it again by its id.
  if (reported === 'queued' || reported === 'in_progress') return outcome
  const isNameless = ({ type, name }: JsonObject) => callTypes.has(type) && !name
  const isWhole = Array.isArray(output) && !objectsIn(output).some(isNameless)
  return isWhole ? outcome : spoilt(outcome)
}

const callTypes: ReadonlySet<unknown> = new Set(['function_call', 'custom_tool_call'])

function isFailedResponse(json: unknown): boolean {
  return isObject(json) && isResponse(json) && hasFailed({ status: endStatusOf(json, undefined) })
}

/**
 * Returns the outcome of looking up a stored response. The look-up succeeds however the response
 * ended, and has no usage of its own: the call that created the response used the tokens.
 */
export function storedOutcome(json: unknown, event?: EndStatus): Outcome {
  const outcome = responseOutcome(json, event)
  if (outcome.error) return outcome
  const { produced, items, discloses } = outcome
  const ended = endOfBackground(json, event, outcome)
  return {
    ...succeeded,
    produced,
    items: items ?? [],
    ...(discloses && { discloses }),
    ...(ended && { ended }),
  }
}

/** The end of a response that may have run in the background; `undefined`: it goes on, or its own reply was its end. */
function endOfBackground(
  json: unknown,
  event: EndStatus | undefined,
  { status, usage, httpStatus }: Outcome,
): EndedResponse | undefined {
  const { status: word, background, output } = Object(json) as JsonObject
  if (background === false || !endStatuses.has(word ?? event)) return undefined
  return {
    status,
    usage,
    ...(usage?.outputTokens === undefined && { outputTokens: tokensOfOutput(output) }),
    ...(httpStatus !== undefined && { httpStatus }),
  }
}

/**
 * Returns the outcome of a compaction, which is input for later calls and cannot be looked up by
 * id.
 */
export function compactionOutcome(json: unknown): Outcome {
  const outcome = responseOutcome(json)
  const { produced } = outcome
  if (!produced) return outcome
  const { id, model } = produced
  return { ...outcome, produced: { kind: 'compaction', id, model } }
}

/** Returns the outcome of a reply that produces no resource: a list, a count, an update. */
export function plainOutcome(json: unknown): Outcome {
  const error = errorIn(json)
  return error ? failedOutcome(statusOfError(error), error) : succeeded
}

/** Returns the outcome of a list of items. */
export function listOutcome(json: unknown): Outcome {
  return { ...plainOutcome(json), ...disclosed((json as { data?: unknown } | null)?.data) }
}

/** Returns the outcome of looking up an item. The item of a failed tool call has an `error`, and is no failure. */
export function itemOutcome(json: unknown): Outcome {
  const type = stringAt(json, 'type')
  const isItem = stringAt(json, 'id') !== undefined && type !== undefined && type !== 'error'
  return { ...(isItem ? succeeded : plainOutcome(json)), ...disclosed([json]) }
}

/** Returns the outcome of a deletion; `deleted` is absent if the reply has `deleted: false`. */
export function deletedOutcome(json: unknown, deleted: { kind: string; id: string }): Outcome {
  const outcome = plainOutcome(json)
  const stillExists = outcome.error || (json as { deleted?: unknown } | null)?.deleted === false
  return stillExists ? outcome : { ...outcome, deleted }
}

const succeeded: Outcome = { status: 'completed', fault: 'none' }

/** A reason of a code's form, such as `max_output_tokens`. */
const reasonCode = /^[a-z_]{1,64}$/

/**
 * Whether a response states in its account's own words why it failed or is incomplete. The codes of
 * reasons are no such words.
 */
export function explainsEnd(json: unknown): boolean {
  if (objectAt(json, 'error')) return true
  const details = objectAt(json, 'incomplete_details')
  if (!details) return false
  const { reason, ...others } = details
  return typeof reason !== 'string' || !reasonCode.test(reason) || Object.keys(others).length > 0
}

/** The status with which a response ends. */
type EndStatus = Outcome['status']

const endStatuses: ReadonlySet<unknown> = new Set<EndStatus>([
  'completed',
  'incomplete',
  'failed',
  'cancelled',
])

/** Returns the status in the name of a terminal event; `undefined` for other names. */
export function endStatusIn(name: string): EndStatus | undefined {
  const status = name.startsWith('response.') ? name.slice('response.'.length) : ''
  return endStatuses.has(status) ? (status as EndStatus) : undefined
}

/** An absent status means `completed`; any other one, such as `queued`, is an incomplete outcome. */
function endStatusOf(json: unknown, event: EndStatus | undefined): EndStatus {
  const status = (json as { status?: unknown } | null | undefined)?.status ?? event ?? 'completed'
  if (event === 'failed') return event
  return endStatuses.has(status) ? (status as EndStatus) : (event ?? 'incomplete')
}

function itemIds(json: unknown): string[] {
  const output = (json as { output?: unknown } | null)?.output
  if (!Array.isArray(output)) return []
  return output.map((item) => stringAt(item, 'id')).filter((id) => id !== undefined)
}
