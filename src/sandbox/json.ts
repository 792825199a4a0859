/** A JSON object of unknown content. */
export type JsonObject = Record<string, unknown>

/** True for a JSON object: not an array, not null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value if it is an object, else an empty one. For input that is already checked. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

/** The value if it is an array, else an empty one. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** The value as a list of objects; anything else in the list is left out. */
export function objectsOf(value: unknown): JsonObject[] {
  return listOf(value).filter(isObject)
}

/** Whether a member is neither absent nor null. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** The value if it is a string, else an empty one. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The value if it is a number, else undefined. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
