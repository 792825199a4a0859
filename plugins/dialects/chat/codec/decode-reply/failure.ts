import {
  errorIn,
  errorUnless,
  hasAnyWithoutError,
  isEmpty,
  isFilledList,
  statusOfError,
} from '../../../../../src/kit/upstream-error.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { ErrorEvent } from '../../../../../src/generate/events.ts'
import { failureOf } from '../../../../../src/kit/codec/failure.ts'
import { failureStatusOf } from '../stop.ts'

const ownMembers = ['choices']

/** Whether a body is a completion or a chunk of one. Some chunks have usage, or nothing, beside an empty list. */
export function isChatBody(body: JsonObject): boolean {
  const { choices, usage } = body
  if (isFilledList(choices) || (Array.isArray(choices) && !isEmpty(usage))) return true
  return hasAnyWithoutError(body, ownMembers)
}

/** Returns the error that a body, or an event called `name`, carries in place of a reply. */
export function failureIn(body: JsonObject, name = ''): ErrorEvent | undefined {
  const error = chatErrorIn(body, name)
  return error && failure(error)
}

/** The error object of a reply, or of a chunk called `name`. */
export function chatErrorIn(body: unknown, name = ''): JsonObject | undefined {
  return errorUnless(isChatBody, body, name)
}

/** Returns the failure of one choice, which some providers report as a finish reason. */
export function failureOfChoice(choice: JsonObject): ErrorEvent | undefined {
  const status = statusOfChoice(choice)
  return status === undefined ? undefined : failureOf(errorIn(choice), status)
}

/** The HTTP status that the failure of one choice stands for; `undefined` for a choice that has not failed. */
export function statusOfChoice(choice: JsonObject): number | undefined {
  const status = failureStatusOf(choice.finish_reason)
  if (status === undefined) return undefined
  const error = errorIn(choice)
  return error ? statusOfError(error) : status
}

function failure(error: JsonObject): ErrorEvent {
  return failureOf(error, statusOfError(error))
}
