import { hasAnyWithoutError, isFilledList } from '../../../../src/kit/own-bodies.ts'
import { isEmpty } from '../../../../src/kit/upstream-error.ts'
import type { JsonObject } from '../../../../src/lib/json/object.ts'

const ownMembers = ['choices']

/** Whether a body is a completion or a chunk of one. Some chunks have usage, or nothing, beside an empty list. */
export function isChatBody(body: JsonObject): boolean {
  const { choices, usage } = body
  if (isFilledList(choices) || (Array.isArray(choices) && !isEmpty(usage))) return true
  return hasAnyWithoutError(body, ownMembers)
}
