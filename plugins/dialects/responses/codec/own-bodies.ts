import {
  hasAny,
  hasAnyWithoutError,
  isErrorType,
  isFilledList,
  isLaterEvent,
} from '../../../../src/kit/own-bodies.ts'
import { isEmpty } from '../../../../src/kit/upstream-error.ts'
import type { JsonObject } from '../../../../src/lib/json/object.ts'
import { stringAt } from '../../../../src/lib/json/read.ts'

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
export function isResponsesBody(body: JsonObject, name: string): boolean {
  return isResponse(body) || isResponsesEvent(body, name) || isLaterEvent(body)
}
