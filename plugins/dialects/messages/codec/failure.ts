import { errorIn } from '../../../../src/error-reply.ts'
import type { ErrorEvent } from '../../../../src/generate/events.ts'
import { text } from '../../../../src/usage.ts'
import { statusOfType } from '../errors.ts'

export const unknownFailure: ErrorEvent = {
  type: 'error',
  message: 'The upstream reported an error.',
  status: 500,
}

/** The error that a body or an event tells of, if it tells of one. */
export function readFailure(json: unknown): ErrorEvent | undefined {
  const error = errorIn(json)
  if (!error) return undefined
  return {
    type: 'error',
    message: text(error, 'message') ?? unknownFailure.message,
    status: statusOfType.get(text(error, 'type') ?? '') ?? unknownFailure.status,
  }
}
