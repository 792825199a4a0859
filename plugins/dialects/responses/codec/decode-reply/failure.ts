import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { errorIn, statusOfError } from '../../../../../src/kit/upstream-error.ts'
import type { ErrorEvent } from '../../../../../src/generate/events.ts'
import { failureOf } from '../../../../../src/kit/codec/failure.ts'
import { objectAt, stringAt } from '../../../../../src/lib/json/read.ts'

/** Returns the failure that a body or event reports, if any. */
export function failureIn(body: JsonObject): ErrorEvent | undefined {
  const status = stringAt(body, 'status')
  if (status === 'failed') return failure(objectAt(body, 'error'))
  if (status === 'cancelled') return failure({ message: 'The response was cancelled.' })
  const error = errorIn(body)
  return error && failure(error)
}

/** Converts an error object of this dialect to an error event. */
export function failure(error: JsonObject = {}): ErrorEvent {
  return failureOf(error, statusOfError(error))
}
