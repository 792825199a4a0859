import type { JsonObject } from '../../../../src/codec.ts'
import { objectsIn, part } from '../../../../src/usage.ts'

const alternatives = ['anyOf', 'oneOf', 'allOf'] as const

/**
 * What a tool takes, as accounts want it said: an object, without alternatives at the top. A schema
 * that has some is told with the members of all of them.
 */
export function toolSchema(parameters: JsonObject = {}): JsonObject {
  const found = alternatives.flatMap((keyword) => objectsIn(parameters[keyword]))
  const { anyOf: _, oneOf: _o, allOf, ...rest } = parameters
  if (found.length === 0) return { ...rest, type: 'object', properties: rest.properties ?? {} }
  const members = [...found, parameters].map((schema) => part(schema, 'properties'))
  const required = [...objectsIn(allOf), parameters].flatMap((schema) => namesIn(schema.required))
  return {
    ...rest,
    type: 'object',
    properties: Object.assign({}, ...members),
    ...(required.length > 0 && { required: [...new Set(required)] }),
  }
}

/** Whether a schema leaves a choice at its top. */
export function hasAlternatives(parameters: JsonObject = {}): boolean {
  return alternatives.some((keyword) => objectsIn(parameters[keyword]).length > 0)
}

function namesIn(required: unknown): unknown[] {
  return Array.isArray(required) ? required : []
}
