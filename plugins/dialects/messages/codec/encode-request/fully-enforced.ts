import { type JsonObject, isObject } from '../../../../../src/lib/json/object.ts'
import { enforcedSchema } from './enforced-schema.ts'

/** Keywords that do not constrain values. */
const annotations = new Set([
  'description',
  'title',
  'default',
  '$schema',
  '$id',
  'examples',
  '$comment',
])

/** Whether accounts enforce all constraints of a schema. They always close its objects. */
export function isFullyEnforced(schema: JsonObject): boolean {
  return isSame(constraintsOf(schema), constraintsOf(enforcedSchema(schema)))
}

/** Returns the constraints of a schema, without annotations and closed objects. */
function constraintsOf(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(constraintsOf)
  if (!isObject(node)) return node
  const constraints = Object.entries(node).filter(
    ([name, value]) =>
      !annotations.has(name) && !(name === 'additionalProperties' && value === false),
  )
  return Object.fromEntries(
    constraints.map(([name, value]) => [
      name === 'oneOf' ? 'anyOf' : name,
      mapKeywords.has(name) ? mapMembers(value) : constraintsOf(value),
    ]),
  )
}

/** Keywords whose members have names of the client, not of JSON Schema. */
const mapKeywords = new Set(['properties', '$defs', 'definitions'])

function mapMembers(members: unknown): unknown {
  if (!isObject(members)) return members
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, constraintsOf(member)]),
  )
}

function isSame(left: unknown, right: unknown): boolean {
  if (!isObject(left) || !isObject(right)) {
    return Array.isArray(left) && Array.isArray(right)
      ? left.length === right.length && left.every((one, index) => isSame(one, right[index]))
      : left === right
  }
  const names = Object.keys(left)
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => isSame(left[name], right[name]))
  )
}
