import { errorIn } from '../../../../src/error-reply.ts'
import type { ErrorEvent } from '../../../../src/generate/events.ts'
import { failureOf } from '../../../../src/codecs/failure.ts'
import { text } from '../../../../src/usage.ts'
import { statusOfType } from '../errors.ts'

const unknownStatus = 500

/** The status of a request that is too large to be counted. */
export const tooLarge = 413

/** An error without a word of what it is. */
export const unknownFailure: ErrorEvent = failureOf(undefined, unknownStatus)

/** The error that a body or an event tells of, if it tells of one. */
export function readFailure(json: unknown): ErrorEvent | undefined {
  const error = errorIn(json)
  if (!error) return undefined
  const failure = failureOf(error, statusOfType.get(text(error, 'type') ?? '') ?? unknownStatus)
  return failure.status === tooLarge ? { ...failure, code: 'context_length_exceeded' } : failure
}
