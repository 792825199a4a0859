import { type JsonObject, isObject } from '../../../../../src/lib/json/object.ts'
import { errorIn, statusOfError } from '../../../../../src/kit/upstream-error.ts'
import type { ErrorEvent } from '../../../../../src/generate/events.ts'
import { stringAt } from '../../../../../src/lib/json/read.ts'
import { failureOf } from '../../../../../src/kit/codec/failure.ts'

/** Returns the error that a body, or an event called `name`, carries in place of a reply. */
export function failureIn(body: JsonObject, name = ''): ErrorEvent | undefined {
  const error = chatErrorIn(body, name)
  return error && failure(error)
}

/** The error object of a reply, or of a chunk called `name`. */
export function chatErrorIn(body: unknown, name = ''): JsonObject | undefined {
  return errorIn(body, name) ?? (isObject(body) ? bareErrorIn(body) : undefined)
}

/** Servers in Python end a stream with a `detail` and other members, proxies with `{"message": ...}`. */
function bareErrorIn(chunk: JsonObject): JsonObject | undefined {
  if (chunk.choices !== undefined) return undefined
  const message = stringAt(chunk, 'detail') ?? stringAt(chunk, 'message')
  if (message !== undefined) return { ...chunk, message }
  return chunk.detail === undefined || chunk.detail === null ? undefined : chunk
}

/** Finish reasons that mean a failure, with the HTTP status of that failure. */
const failureStatuses = new Map<unknown, number>([
  ['error', 502],
  ['insufficient_system_resource', 503],
])

/** Returns the failure of one choice, which some providers report as a finish reason. */
export function failureOfChoice(choice: JsonObject): ErrorEvent | undefined {
  const status = failureStatuses.get(choice.finish_reason)
  if (status === undefined) return undefined
  const error = errorIn(choice)
  return error ? failure(error) : failureOf(undefined, status)
}

function failure(error: JsonObject): ErrorEvent {
  return failureOf(error, statusOfError(error))
}
