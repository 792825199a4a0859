import { isObject } from '../../../../src/generate/json-object.ts'

type Schema = Record<string, unknown>

/**
 * The schema of an answer, lowered, with its objects closed. Accounts of this dialect write no member
 * but what `properties` names, so clients do not say it; elsewhere it has to be said.
 */
export function closeObjects(schema: Schema): Schema {
  const isWhole = !combining.some((name) => name in schema)
  const within = closeWithin(schema, isWhole || !isObject(schema.properties))
  return isWhole && isOpen(schema) ? { ...within, additionalProperties: false } : within
}

/** Beside these, `properties` is but a piece of what the object may have. */
const combining = ['anyOf', 'oneOf', 'allOf', '$ref']

function isOpen({ type, properties, additionalProperties }: Schema): boolean {
  const isOfObjects = Array.isArray(type) ? type.includes('object') : type === 'object'
  const isNamed = isObject(properties) && Object.keys(properties).length > 0
  return isOfObjects && isNamed && additionalProperties === undefined
}

function closeWithin(schema: Schema, areChoicesWhole: boolean): Schema {
  const closed = { ...schema }
  for (const name of ['properties', '$defs', 'definitions']) {
    const members = schema[name]
    if (isObject(members)) {
      closed[name] = Object.fromEntries(
        Object.entries(members).map(([key, member]) => [key, closeNode(member)]),
      )
    }
  }
  for (const name of ['items', 'additionalProperties']) {
    if (name in schema) closed[name] = closeNode(schema[name])
  }
  for (const name of areChoicesWhole ? ['anyOf', 'oneOf', 'prefixItems'] : ['prefixItems']) {
    const nodes = schema[name]
    if (Array.isArray(nodes)) closed[name] = nodes.map(closeNode)
  }
  return closed
}

function closeNode(node: unknown): unknown {
  return isObject(node) ? closeObjects(node) : node
}
