import { hasAnyWithoutError, isFilledList, isLaterEvent } from '../../../../src/kit/own-bodies.ts'
import type { JsonObject } from '../../../../src/lib/json/object.ts'

const eventTypes: ReadonlySet<unknown> = new Set([
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
  'ping',
])

/** Whether the API has an event of this type; a server may say it in the event's name only. */
export function isMessagesEvent({ type = '' }: JsonObject, name: string): boolean {
  return eventTypes.has(type || name)
}

/** Whether a body is a message. Some servers leave out the content of an empty one, or send a text. */
export function isMessage(body: JsonObject): boolean {
  if (body.type === 'message' || isFilledList(body.content)) return true
  return hasAnyWithoutError(body, ['content'])
}

/** Whether a body is a message or has a type of event, also one that the API does not have yet. */
export function isMessagesBody(body: JsonObject, name: string): boolean {
  return isMessage(body) || isMessagesEvent(body, name) || isLaterEvent(body)
}
