import {
  errorUnless,
  hasAnyWithoutError,
  isFilledList,
  isLaterEvent,
} from '../../../../../src/kit/upstream-error.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { ErrorEvent } from '../../../../../src/generate/events.ts'
import { exceedsContext, failureOf } from '../../../../../src/kit/codec/failure.ts'
import { statusOfMessagesError } from '../../errors.ts'

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
function isMessagesBody(body: JsonObject, name: string): boolean {
  return isMessage(body) || isMessagesEvent(body, name) || isLaterEvent(body)
}

/** The status of a request that exceeds the API's size limit. */
const requestTooLarge = 413

/** Returns the failure for the error of a body or an event. */
export function failureOfError(error: JsonObject): ErrorEvent {
  const failure = failureOf(error, statusOfMessagesError(error))
  return failure.status === requestTooLarge
    ? { ...failure, code: 'context_length_exceeded' }
    : failure
}

/** The error object of a body in place of a message. */
export function replyErrorIn(json: unknown): JsonObject | undefined {
  return errorUnless(isMessage, json)
}

/** The error object of an event called `name`. */
export function eventErrorIn(json: unknown, name: string): JsonObject | undefined {
  return errorUnless(isMessagesBody, json, name)
}

/**
 * Whether an account's error reply means that the input exceeds the model's context. The API has a
 * status of its own, 413, for requests that exceed its size limit.
 */
export function exceedsMessagesContext(reply: { status: number; json: unknown }): boolean {
  return reply.status === requestTooLarge || exceedsContext(reply)
}
