import type { ErrorEvent } from '../../../../../src/generate/events.ts'
import { failureOf, exceedsContext } from '../../../../../src/kit/codec/failure.ts'
import { errorUnless } from '../../../../../src/kit/own-bodies.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { statusOfMessagesError } from '../../errors.ts'
import { isMessagesBody } from '../own-bodies.ts'

/** The status of a request that exceeds the API's size limit. */
const requestTooLarge = 413

/** Returns the error that a body, or an event called `name`, carries, if there is one. */
export function readFailure(json: unknown, name = ''): ErrorEvent | undefined {
  const error = messagesErrorIn(json, name)
  if (!error) return undefined
  const failure = failureOf(error, statusOfMessagesError(error))
  return failure.status === requestTooLarge
    ? { ...failure, code: 'context_length_exceeded' }
    : failure
}

/** The error object of a message, or of an event called `name`. */
export function messagesErrorIn(json: unknown, name = ''): JsonObject | undefined {
  return errorUnless(isMessagesBody, json, name)
}

/**
 * Whether an account's error reply means that the input exceeds the model's context. The API has a
 * status of its own, 413, for requests that exceed its size limit.
 */
export function exceedsMessagesContext(reply: { status: number; json: unknown }): boolean {
  return reply.status === requestTooLarge || exceedsContext(reply)
}
