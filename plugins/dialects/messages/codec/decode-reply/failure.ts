import type { ErrorEvent } from '../../../../../src/generate/events.ts'
import { failureOf, exceedsContext as saysSo } from '../../../../../src/kit/codec/failure.ts'
import { errorIn } from '../../../../../src/kit/upstream-error.ts'
import { stringAt } from '../../../../../src/lib/json/read.ts'
import { statusOfType } from '../../errors.ts'

const unknownStatus = 500

/** The status of a request that is too large to be counted. */
export const requestTooLarge = 413

/** An error without a word of what it is. */
export const unknownFailure: ErrorEvent = failureOf(undefined, unknownStatus)

/** The error that a body or an event tells of, if it tells of one. */
export function readFailure(json: unknown): ErrorEvent | undefined {
  const error = errorIn(json)
  if (!error) return undefined
  const failure = failureOf(error, statusOfType.get(stringAt(error, 'type') ?? '') ?? unknownStatus)
  return failure.status === requestTooLarge
    ? { ...failure, code: 'context_length_exceeded' }
    : failure
}

/**
 * Whether an account's answer says that the input is beyond the model's context. It has its own
 * status for a request that is too large to be counted.
 */
export function exceedsMessagesContext(answer: { status: number; json: unknown }): boolean {
  return answer.status === requestTooLarge || saysSo(answer)
}
