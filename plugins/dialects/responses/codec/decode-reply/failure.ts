import {
  errorUnless,
  hasAny,
  hasAnyWithoutError,
  isEmpty,
  isErrorType,
  isFilledList,
  isLaterEvent,
  statusOfError,
} from '../../../../../src/kit/upstream-error.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { objectAt, stringAt } from '../../../../../src/lib/json/read.ts'
import type { ErrorEvent } from '../../../../../src/generate/events.ts'
import { failureOf } from '../../../../../src/kit/codec/failure.ts'

/** Whether the API may have an event of this type; a server may say it in the event's name only. */
export function isResponsesEvent(event: JsonObject, name: string): boolean {
  const type = stringAt(event, 'type') || name
  return type.startsWith('response.') && !isErrorType(type)
}

const ownMembers = ['output', 'usage', 'incomplete_details']

const statuses: ReadonlySet<unknown> = new Set([
  'queued',
  'in_progress',
  'completed',
  'incomplete',
  'failed',
  'cancelled',
])

/** Whether a body is a response. Servers leave members out; errors have an `id` too, beside a code or a type. */
export function isResponse(body: JsonObject): boolean {
  if (body.object === 'response' || isFilledList(body.output)) return true
  const hasStatus = statuses.has(body.status) && hasAny(body, ['id'])
  return hasAnyWithoutError(body, hasStatus ? ['status'] : ownMembers) || isNamed(body)
}

function isNamed(body: JsonObject): boolean {
  const isError = !isEmpty(body.code) || isErrorType(body.type)
  return !isError && hasAnyWithoutError(body, ['id'])
}

/** Whether a body is a response or has a type of event, also one that the API does not have yet. */
function isResponsesBody(body: JsonObject, name: string): boolean {
  return isResponse(body) || isResponsesEvent(body, name) || isLaterEvent(body)
}

/** Returns the failure that a response reports, or a body in place of one. */
export function failureIn(body: JsonObject): ErrorEvent | undefined {
  const status = stringAt(body, 'status')
  if (status === 'failed') return failure(objectAt(body, 'error'))
  if (status === 'cancelled') return failure({ message: 'The response was cancelled.' })
  const error = replyErrorIn(body)
  return error && failure(error)
}

/** The error object of a body in place of a response. */
export function replyErrorIn(json: unknown): JsonObject | undefined {
  return errorUnless(isResponse, json)
}

/** The error object of an event called `name`. */
export function eventErrorIn(json: unknown, name: string): JsonObject | undefined {
  return errorUnless(isResponsesBody, json, name)
}

/** Converts an error object of this dialect to an error event. */
export function failure(error: JsonObject = {}): ErrorEvent {
  return failureOf(error, statusOfError(error))
}
