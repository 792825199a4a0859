import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { errorIn, statusOfError } from '../../../../../src/kit/upstream-error.ts'
import type { ErrorEvent } from '../../../../../src/generate/events.ts'
import { failureOf } from '../../../../../src/kit/codec/failure.ts'

/** The failure that a body or an event tells of instead of a reply. */
export function failureIn(body: JsonObject, name = ''): ErrorEvent | undefined {
  const error = errorIn(body)
  if (error) return failure(error)
  return name === 'error' || body.object === 'error' ? failure(body) : undefined
}

/** Endings of choices that are no endings of an answer. */
const failedEndings = new Map<unknown, number>([
  ['error', 502],
  ['insufficient_system_resource', 503],
])

/** The failure of one choice, as some providers tell of it. */
export function failureOfChoice(choice: JsonObject): ErrorEvent | undefined {
  const status = failedEndings.get(choice.finish_reason)
  if (status === undefined) return undefined
  const error = errorIn(choice)
  return error ? failure(error) : failureOf(undefined, status)
}

function failure(error: JsonObject): ErrorEvent {
  return failureOf(error, statusOfError(error))
}
