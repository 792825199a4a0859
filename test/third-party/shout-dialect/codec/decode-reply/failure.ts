import {
  type ErrorEvent,
  failureOf,
  type JsonObject,
  numberAt,
  stringAt,
} from '../../../../../src/dialect-kit/index.ts'

const unknownStatus = 502

/** `{oops, number}`: an error in place of a reply, or in a `cough`. */
export function decodeFailure(json: JsonObject): ErrorEvent | undefined {
  const message = stringAt(json, 'oops')
  if (message === undefined) return undefined
  return failureOf({ message }, numberAt(json, 'number') ?? unknownStatus)
}
