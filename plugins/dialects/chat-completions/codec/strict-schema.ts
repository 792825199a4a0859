import type { JsonObject } from '../../../../src/codec.ts'

/**
 * Whether a schema is one that `strict` takes: every object in it names all its members as required
 * and allows no others.
 */
export function fitsStrict(schema: JsonObject): boolean {
  return schema.type === 'object' && everyObjectIsClosed(schema)
}

function everyObjectIsClosed(node: unknown): boolean {
  if (Array.isArray(node)) return node.every(everyObjectIsClosed)
  if (typeof node !== 'object' || node === null) return true
  const schema = node as JsonObject
  if (schema.type === 'object' && !isClosed(schema)) return false
  return Object.values(schema).every(everyObjectIsClosed)
}

function isClosed({ properties, required, additionalProperties }: JsonObject): boolean {
  const named: unknown[] = Array.isArray(required) ? required : []
  const members = Object.keys((properties as object | undefined) ?? {})
  return additionalProperties === false && members.every((member) => named.includes(member))
}
