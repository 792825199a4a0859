/** A JSON Schema for `openapi.json`. */
type Schema = Readonly<Record<string, unknown>>

export const text = { type: 'string' }
export const flag = { type: 'boolean' }
export const integer = { type: 'integer' }
export const number = { type: 'number' }
export const anyObject = { type: 'object' }
export const textOrNull = { type: ['string', 'null'] }

/** An object with these members among others. */
export function object<Members extends Readonly<Record<string, Schema>>>(properties: Members) {
  return { type: 'object', properties }
}

/** An object with these members among others, or `null`. */
export function objectOrNull(properties: Readonly<Record<string, Schema>> = {}) {
  return { type: ['object', 'null'], properties }
}

/** A list of such elements. */
export function list<Items extends Schema>(items: Items) {
  return { type: 'array', items }
}

/** Any of these. */
export function either(...anyOf: readonly Schema[]) {
  return { anyOf }
}
