import { type JsonObject, isObject } from '../../../../../src/lib/json/object.ts'
import { enforcedSchema } from './enforced-schema.ts'

/** What says nothing about a value. */
const remarks = new Set([
  'description',
  'title',
  'default',
  '$schema',
  '$id',
  'examples',
  '$comment',
])

/** Whether an account enforces all that a schema says. Objects are closed there, whatever it says. */
export function isEnforcedWhole(schema: JsonObject): boolean {
  return isSame(bare(schema), bare(enforcedSchema(schema)))
}

/** What it demands, without remarks and without what is added. */
function bare(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(bare)
  if (!isObject(node)) return node
  const said = Object.entries(node).filter(
    ([name, value]) => !remarks.has(name) && !(name === 'additionalProperties' && value === false),
  )
  return Object.fromEntries(
    said.map(([name, value]) => [
      name === 'oneOf' ? 'anyOf' : name,
      membersOf.has(name) ? eachMember(value) : bare(value),
    ]),
  )
}

/** Their members have names of the client's own. */
const membersOf = new Set(['properties', '$defs', 'definitions'])

function eachMember(members: unknown): unknown {
  if (!isObject(members)) return members
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, bare(member)]))
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
