import { type JsonObject, isObject } from '../../../../src/lib/json/object.ts'
import { TextSet } from '../../../../src/lib/text-map.ts'

/** Keywords whose values are schemas or lists of schemas. */
const schemaKeywords = new TextSet([
  'additionalItems',
  'additionalProperties',
  'allOf',
  'anyOf',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'oneOf',
  'prefixItems',
  'propertyNames',
  'then',
])

/** Keywords whose values are schemas by names of the client's. */
const mapKeywords = new TextSet(['properties', 'patternProperties', '$defs', 'definitions'])

/**
 * Returns a schema of draft 4 to 7 as one of draft 2020-12, which accounts read: tuples, exclusive bounds,
 * definitions and references to them. A schema without these stays the same object.
 */
export function modernSchema(schema: JsonObject): JsonObject {
  return modernNode(schema, schema)
}

function modernNode(node: JsonObject, root: JsonObject): JsonObject {
  let copy: Record<string, unknown> | undefined
  for (const keyword in node) {
    const value = node[keyword]
    const modern = modernValue(keyword, value, root)
    if (modern !== value) (copy ??= { ...node })[keyword] = modern
  }
  return withModernKeywords(copy ?? node)
}

function modernValue(keyword: string, value: unknown, root: JsonObject): unknown {
  if (typeof value === 'string') return keyword === '$ref' ? modernPointer(value, root) : value
  if (typeof value !== 'object' || value === null) return value
  if (mapKeywords.has(keyword) || (schemaKeywords.has(keyword) && Array.isArray(value))) {
    return modernMembers(value as JsonObject, root)
  }
  return schemaKeywords.has(keyword) ? modernNode(value as JsonObject, root) : value
}

/** Returns the schemas in a map or list. */
function modernMembers(members: JsonObject, root: JsonObject): JsonObject | unknown[] {
  let copy: Record<string, unknown> | undefined
  for (const name in members) {
    const value = members[name]
    const modern = isObject(value) ? modernNode(value, root) : value
    if (modern !== value) {
      copy ??= Array.isArray(members) ? ([...members] as never) : { ...members }
      copy[name] = modern
    }
  }
  return copy ?? members
}

function withModernKeywords(node: JsonObject): JsonObject {
  const { items, additionalItems, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = node
  const isTuple = Array.isArray(items)
  const boundsBelow = typeof exclusiveMinimum === 'boolean'
  const boundsAbove = typeof exclusiveMaximum === 'boolean'
  const moves = movesDefinitions(node)
  const isOld = typeof node.$schema === 'string' && /\/draft-0[3-7]\/schema/.test(node.$schema)
  if (!isTuple && !boundsBelow && !boundsAbove && !moves && !isOld) return node
  const result: Record<string, unknown> = { ...node }
  if (isOld) delete result.$schema
  if (isTuple) {
    result.prefixItems = items
    delete result.items
    delete result.additionalItems
    if (additionalItems !== undefined) result.items = additionalItems
  }
  if (boundsBelow) {
    delete result.exclusiveMinimum
    if (exclusiveMinimum && minimum !== undefined) {
      delete result.minimum
      result.exclusiveMinimum = minimum
    }
  }
  if (boundsAbove) {
    delete result.exclusiveMaximum
    if (exclusiveMaximum && maximum !== undefined) {
      delete result.maximum
      result.exclusiveMaximum = maximum
    }
  }
  if (moves) {
    result.$defs = node.definitions
    delete result.definitions
  }
  return result
}

/** A node with both keywords keeps both, because their names may be the same. */
function movesDefinitions(node: unknown): boolean {
  return isObject(node) && isObject(node.definitions) && node.$defs === undefined
}

/** The most characters and steps of a pointer that is followed. Real ones have a tenth; many long ones take seconds. */
const longestPointer = 8_192
const mostSteps = 32

/** The steps of a pointer into a schema, the first one `#`; `undefined` for another reference, and one of many steps. */
export function stepsOf(reference: string): readonly string[] | undefined {
  if (reference.length > longestPointer || !reference.startsWith('#')) return undefined
  const steps = reference.split('/', mostSteps + 1)
  return steps.length > mostSteps ? undefined : steps
}

/** Returns a pointer into the schema as it is after the keywords on its way have their new names. */
function modernPointer(pointer: string, root: JsonObject): string {
  const steps = stepsOf(pointer)
  if (!steps) return pointer
  let node: unknown = root
  let isName = false
  const modern = steps.map((step, at) => {
    if (at === 0) return step
    const from = node
    node = (node as JsonObject | null | undefined)?.[step]
    if (isName || !isObject(from)) {
      isName = false
      return step
    }
    isName = mapKeywords.has(step)
    if (step === 'definitions' && movesDefinitions(from)) return '$defs'
    if (step === 'items' && Array.isArray(from.items)) return 'prefixItems'
    return step === 'additionalItems' && Array.isArray(from.items) ? 'items' : step
  })
  return modern.join('/')
}
