import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { errorIn, statusIn, statusOfError } from '../../../../../src/kit/upstream-error.ts'
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
  return failureOf(error, statusOf(error))
}

/** Error codes of failed responses that are the caller's fault, not the account's. */
const callerErrorCodes =
  /^(?:invalid_|image_|unsupported_|empty_image|failed_to_download|bio_policy|misalignment_|data_residency)/

function statusOf(error: JsonObject): number {
  const isCallerFault =
    statusIn(error) === undefined && callerErrorCodes.test(stringAt(error, 'code') ?? '')
  return isCallerFault && error.code !== 'invalid_api_key' ? 400 : statusOfError(error)
}
