import type { JsonObject } from '../lib/json/object.ts'

/** Only those fields of a request that a question has as well. */
export function countedFields(body: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => fields.includes(name)))
}
