import type { ErrorEvent } from '../../../../../src/generate/events.ts'
import { failureOf, exceedsContext } from '../../../../../src/kit/codec/failure.ts'
import { errorIn } from '../../../../../src/kit/upstream-error.ts'
import { statusOfMessagesError } from '../../errors.ts'

/** The status of a request that exceeds the API's size limit. */
const requestTooLarge = 413

/** Returns the error that a body, or an event called `name`, carries, if there is one. */
export function readFailure(json: unknown, name = ''): ErrorEvent | undefined {
  const error = errorIn(json, name)
  if (!error) return undefined
  const failure = failureOf(error, statusOfMessagesError(error))
  return failure.status === requestTooLarge
    ? { ...failure, code: 'context_length_exceeded' }
    : failure
}

/**
 * Whether an account's error reply means that the input exceeds the model's context. The API has a
 * status of its own, 413, for requests that exceed its size limit.
 */
export function exceedsMessagesContext(reply: { status: number; json: unknown }): boolean {
  return reply.status === requestTooLarge || exceedsContext(reply)
}
