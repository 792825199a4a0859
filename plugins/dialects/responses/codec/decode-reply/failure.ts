import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { errorUnless } from '../../../../../src/kit/own-bodies.ts'
import { statusOfError } from '../../../../../src/kit/upstream-error.ts'
import type { ErrorEvent } from '../../../../../src/generate/events.ts'
import { failureOf } from '../../../../../src/kit/codec/failure.ts'
import { objectAt, stringAt } from '../../../../../src/lib/json/read.ts'
import { isResponse, isResponsesBody } from '../own-bodies.ts'

/** Returns the failure that a response reports, or a body in place of one. */
export function failureIn(body: JsonObject): ErrorEvent | undefined {
  const status = stringAt(body, 'status')
  if (status === 'failed') return failure(objectAt(body, 'error'))
  if (status === 'cancelled') return failure({ message: 'The response was cancelled.' })
  const error = replyErrorIn(body)
  return error && failure(error)
}

/** The error object of a body in place of a response. */
export function replyErrorIn(json: unknown): JsonObject | undefined {
  return errorUnless(isResponse, json)
}

/** The error object of an event called `name`. */
export function eventErrorIn(json: unknown, name: string): JsonObject | undefined {
  return errorUnless(isResponsesBody, json, name)
}

/** Converts an error object of this dialect to an error event. */
export function failure(error: JsonObject = {}): ErrorEvent {
  return failureOf(error, statusOfError(error))
}
