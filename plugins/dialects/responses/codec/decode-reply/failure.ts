import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { errorIn, statusIn, statusOfError } from '../../../../../src/kit/upstream-error.ts'
import type { ErrorEvent } from '../../../../../src/generate/events.ts'
import { failureOf } from '../../../../../src/kit/codec/failure.ts'
import { objectAt, stringAt } from '../../../../../src/lib/json/read.ts'

/** The failure that a body or an event tells of instead of a reply. */
export function failureIn(body: JsonObject): ErrorEvent | undefined {
  const status = stringAt(body, 'status')
  if (status === 'failed') return failure(objectAt(body, 'error'))
  if (status === 'cancelled') return failure({ message: 'The response was cancelled.' })
  const error = errorIn(body)
  return error && failure(error)
}

/** The failure that an error object of this dialect means. */
export function failure(error: JsonObject = {}): ErrorEvent {
  return failureOf(error, statusOf(error))
}

/** Codes of responses that failed for what was asked, and not for who was asked. */
const callersCodes =
  /^(?:invalid_|image_|unsupported_|empty_image|failed_to_download|bio_policy|misalignment_|data_residency)/

function statusOf(error: JsonObject): number {
  const isCallers =
    statusIn(error) === undefined && callersCodes.test(stringAt(error, 'code') ?? '')
  return isCallers && error.code !== 'invalid_api_key' ? 400 : statusOfError(error)
}
