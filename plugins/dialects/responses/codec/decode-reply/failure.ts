import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { errorUnless } from '../../../../../src/kit/own-bodies.ts'
import { statusOfError } from '../../../../../src/kit/upstream-error.ts'
import type { ErrorEvent } from '../../../../../src/generate/events.ts'
import { failureOf } from '../../../../../src/kit/codec/failure.ts'
import { objectAt, stringAt } from '../../../../../src/lib/json/read.ts'
import { isResponsesBody } from '../own-bodies.ts'

/** Returns the failure that a body or event reports, if any. */
export function failureIn(body: JsonObject): ErrorEvent | undefined {
  const status = stringAt(body, 'status')
  if (status === 'failed') return failure(objectAt(body, 'error'))
  if (status === 'cancelled') return failure({ message: 'The response was cancelled.' })
  const error = responsesErrorIn(body)
  return error && failure(error)
}

/** The error object of a response, or of an event called `name`. */
export function responsesErrorIn(json: unknown, name = ''): JsonObject | undefined {
  return errorUnless(isResponsesBody, json, name)
}

/** Converts an error object of this dialect to an error event. */
export function failure(error: JsonObject = {}): ErrorEvent {
  return failureOf(error, statusOfError(error))
}
