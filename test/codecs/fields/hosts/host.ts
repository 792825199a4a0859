import type { JsonObject } from '../../../../src/lib/json/object.ts'

/** A request that has an object, for fields of the object to be set in. */
export interface Host {
  /** The object's path in tables of fields. A kind `[*]` stands for any kind. */
  readonly of: string
  readonly body: JsonObject
  /** The object's path in the body. */
  readonly at: string
}

/** A JSON Schema with one member. */
export const schema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
}

/** A PNG and a PDF of a few bytes, in base64. */
export const png = 'iVBORw0KGgo='
export const pdf = 'JVBERi0xLjQ='
