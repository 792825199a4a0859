import { type JsonObject, isObject } from '../../../../../src/lib/json/object.ts'

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

/**
 * Whether accounts enforce all constraints of a schema, whose form for accounts is `enforced`. They
 * always close its objects.
 */
export function isFullyEnforced(schema: JsonObject, enforced: JsonObject): boolean {
  // Without a copy of the constraints: a schema may have a hundred thousand nodes.
  return isSame(schema, enforced)
}

/** Compares the constraints of two nodes: all but annotations and closed objects. */
function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (!isObject(left) || !isObject(right)) return isSameList(left, right)
  const [ours, theirs] = [constraintsOf(left), constraintsOf(right)]
  if (ours.size !== theirs.size) return false
  for (const [name, value] of ours) {
    if (!theirs.has(name)) return false
    const other = theirs.get(name)
    if (!(mapKeywords.has(name) ? isSameMap(value, other) : isSame(value, other))) return false
  }
  return true
}

function constraintsOf(node: JsonObject): Map<string, unknown> {
  const constraints = new Map<string, unknown>()
  for (const name in node) {
    const value = node[name]
    if (annotations.has(name) || (name === 'additionalProperties' && value === false)) continue
    constraints.set(name === 'oneOf' ? 'anyOf' : name, value)
  }
  return constraints
}

function isSameList(left: unknown, right: unknown): boolean {
  if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false
  return left.every((one, index) => isSame(one, right[index]))
}

/** Keywords whose members have names of the client, not of JSON Schema. */
const mapKeywords = new Set(['properties', '$defs', 'definitions'])

function isSameMap(left: unknown, right: unknown): boolean {
  if (!isObject(left) || !isObject(right)) return isSame(left, right)
  if (Object.keys(left).length !== Object.keys(right).length) return false
  for (const name in left) {
    if (!isSame(left[name], right[name])) return false
  }
  return true
}
