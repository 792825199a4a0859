import { hasAny } from '../../../../src/kit/own-bodies.ts'
import type { JsonObject } from '../../../../src/lib/json/object.ts'
import { stringAt } from '../../../../src/lib/json/read.ts'

/** Whether the API may have an event of this type; a server may say it in the event's name only. */
export function isResponsesEvent(event: JsonObject, name: string): boolean {
  return (stringAt(event, 'type') || name).startsWith('response.')
}

const ownMembers = ['output', 'usage', 'incomplete_details']

/** Whether a body is a response. Servers leave members out. */
export function isResponse(body: JsonObject): boolean {
  return isMarked(body) || hasAny(body, ['id'])
}

/** Whether a body is a response or has a type of event, also one that the API does not have yet. */
export function isResponsesBody(body: JsonObject, name: string): boolean {
  return isMarked(body) || typeof body.type === 'string' || isResponsesEvent(body, name)
}

/** An `id` alone is no mark: errors have one too. */
function isMarked(body: JsonObject): boolean {
  return hasAny(body, ownMembers) || body.object === 'response'
}
