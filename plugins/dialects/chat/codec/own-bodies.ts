import { hasAny } from '../../../../src/kit/own-bodies.ts'
import type { JsonObject } from '../../../../src/lib/json/object.ts'

const ownMembers = ['choices']

/** Whether a body is a completion or a chunk of one. */
export function isChatBody(body: JsonObject): boolean {
  return hasAny(body, ownMembers)
}
