import type { ErrorEvent } from '../../../src/generate/events.ts'
import { failureOf } from '../../../src/kit/codec/failure.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { stringAt } from '../../../src/lib/json/read.ts'
import { exceptionIn, factsOfException } from '../shared/aws-refusals.ts'

/** The status of an error object in a reply. */
export function statusOfConverseError(error: JsonObject): number {
  return factsOfException(exceptionIn(stringAt(error, '__type') ?? ''))?.status ?? 502
}

/** The failure for an exception of this name inside of a stream. */
export function failureOfException(data: JsonObject, name: string): ErrorEvent {
  const { status, about } = factsOfException(name) ?? { status: statusOfConverseError(data) }
  const message = stringAt(data, 'message') || stringAt(data, 'originalMessage')
  const failure = failureOf({ message }, status)
  return about === 'answer' ? { ...failure, about } : failure
}
