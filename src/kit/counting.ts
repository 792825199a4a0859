import type { JsonObject } from '../lib/json/object.ts'
import { numberAt } from '../lib/json/read.ts'
import { type OwnMark, hasMessage } from './upstream-error.ts'

/** Returns the fields of a request body that a count request supports. */
export function countedFields(body: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => fields.includes(name)))
}

/** The mark of a count of tokens: the member that has it. A body without it is one if it has no message of an error. */
export function isCount(member: string): OwnMark {
  return (body) => numberAt(body, member) !== undefined || !hasMessage(body)
}
