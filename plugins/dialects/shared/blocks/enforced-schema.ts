import { type JsonObject, isObject, setOwn } from '../../../../src/lib/json/object.ts'
import { TextSet } from '../../../../src/lib/text-map.ts'

/** Keywords that accounts enforce, besides those with subschemas. */
const ownKeywords = [
  '$ref',
  '$schema',
  '$id',
  'title',
  'description',
  'default',
  'const',
  'enum',
  'type',
]

const formats = new TextSet([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'uri',
  'ipv4',
  'ipv6',
  'uuid',
])

/** Keywords that accounts refuse. The description mentions their constraints instead. */
const describedKeywords = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'not',
]

/**
 * The most objects and lists of the schemas of a request that are enforced. Accounts refuse far smaller schemas as too
 * complex, and to rewrite tens of thousands of parts holds up the other clients.
 */
const mostParts = 16_000

/** Counts the schemas of a request that are enforced. */
export class EnforcedParts {
  #left = mostParts

  /** Whether there is room for the schema. It takes that room. */
  take(schema: JsonObject): boolean {
    this.#left -= partsOf(schema, this.#left)
    return this.#left >= 0
  }
}

/** The number of objects and lists in a value, or more than `most`. */
function partsOf(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return 0
  let parts = 1
  for (const name in value) {
    if (parts > most) break
    parts += partsOf((value as JsonObject)[name], most - parts)
  }
  return parts
}

/**
 * Whether a schema has nodes that accounts would force to be empty: they close each object to the members
 * that `properties` names, and know no tuples.
 */
export function forcesEmptiness(schema: JsonObject): boolean {
  if (schema.$ref !== undefined) return inDefinitions(schema)
  if (schema.prefixItems !== undefined || isMap(schema)) return true
  const inNodes = ['anyOf', 'oneOf', 'allOf'].some((keyword) => inAny(schema[keyword]))
  return inNodes || inAny([schema.items]) || inAny(schema.properties) || inDefinitions(schema)
}

function inDefinitions(schema: JsonObject): boolean {
  return inAny(schema.$defs) || inAny(schema.definitions)
}

/** `nodes` is a list of schemas, or schemas by name. */
function inAny(nodes: unknown): boolean {
  if (typeof nodes !== 'object' || nodes === null) return false
  for (const name in nodes) {
    const node = (nodes as JsonObject)[name]
    if (isObject(node) && forcesEmptiness(node)) return true
  }
  return false
}

/** Whether a node takes members of any name: a map, or an object of which nothing is known. */
function isMap(schema: JsonObject): boolean {
  const { properties, additionalProperties: others, patternProperties } = schema
  if (isObject(others) && !isEmpty(others)) return true
  if (isObject(patternProperties) && !isEmpty(patternProperties)) return true
  if (others === false || !isObjects(schema)) return false
  if (isObject(properties)) return isEmpty(properties) && others !== undefined && others !== null
  return !['anyOf', 'oneOf', 'allOf'].some((keyword) => Array.isArray(schema[keyword]))
}

function isEmpty(members: JsonObject): boolean {
  for (const _ in members) return false
  return true
}

/** Returns the schema in the form that accounts enforce: they refuse some keywords of JSON Schema. */
export function enforcedSchema(schema: JsonObject): JsonObject {
  const result = pick(schema, schema.$ref === undefined ? ownKeywords : ['$ref'])
  for (const keyword of ['definitions', '$defs']) {
    if (isObject(schema[keyword])) result[keyword] = mapMembers(schema[keyword])
  }
  if (schema.$ref !== undefined) return result
  const choices = schema.anyOf ?? schema.oneOf
  if (Array.isArray(choices)) result.anyOf = choices.map(enforcedNode)
  if (Array.isArray(schema.allOf)) result.allOf = schema.allOf.map(enforcedNode)
  if (schema.items !== undefined) result.items = enforcedNode(schema.items)
  Object.assign(result, closedMembers(schema))
  if (formats.has(schema.format as string)) result.format = schema.format
  const constraints = describeConstraints(schema)
  if (constraints !== '') {
    result.description = [schema.description, constraints].filter(Boolean).join('\n')
  }
  return result
}

function enforcedNode(node: unknown): unknown {
  return isObject(node) ? enforcedSchema(node) : node
}

function mapMembers(members: JsonObject): JsonObject {
  const enforced: Record<string, unknown> = {}
  for (const name in members) setOwn(enforced, name, enforcedNode(members[name]))
  return enforced
}

/** Closes an object: it has only the members that `properties` names. */
function closedMembers(schema: JsonObject): JsonObject {
  const { properties, required } = schema
  if (!isObjects(schema) && !isObject(properties)) return {}
  return {
    ...(isObject(properties) && { properties: mapMembers(properties) }),
    ...(Array.isArray(required) && { required }),
    additionalProperties: false,
  }
}

function isObjects({ type }: JsonObject): boolean {
  return type === 'object' || (Array.isArray(type) && type.includes('object'))
}

function describeConstraints(schema: JsonObject): string {
  const constraints = describedKeywords.flatMap((keyword) => {
    const value = schema[keyword]
    if (value === undefined || value === null || value === false) return []
    return `${keyword}: ${typeof value === 'string' ? value : JSON.stringify(value)}`
  })
  const { format } = schema
  if (typeof format === 'string' && !formats.has(format)) constraints.push(`format: ${format}`)
  return constraints.length === 0 ? '' : `Demanded: ${constraints.join('; ')}.`
}

function pick(schema: JsonObject, keywords: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {}
  for (const keyword of keywords) {
    const value = schema[keyword] ?? undefined
    if (value !== undefined) picked[keyword] = value
  }
  return picked
}
