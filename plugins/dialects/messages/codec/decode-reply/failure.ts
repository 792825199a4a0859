import type { ErrorEvent } from '../../../../../src/generate/events.ts'
import { failureOf, exceedsContext } from '../../../../../src/kit/codec/failure.ts'
import { errorUnless } from '../../../../../src/kit/own-bodies.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { statusOfMessagesError } from '../../errors.ts'
import { isMessage, isMessagesBody } from '../own-bodies.ts'

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
