import type { JsonObject } from '../lib/json/object.ts'

/** Returns the fields of a request body that a count request supports. */
export function countedFields(body: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => fields.includes(name)))
}
