import { type JsonObject, isObject, setOwn } from '../../../../../src/lib/json/object.ts'
import { TextSet } from '../../../../../src/lib/text-map.ts'

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
function closedMembers({ type, properties, required }: JsonObject): JsonObject {
  const isObjects = type === 'object' || (Array.isArray(type) && type.includes('object'))
  if (!isObjects && !isObject(properties)) return {}
  return {
    ...(isObject(properties) && { properties: mapMembers(properties) }),
    ...(Array.isArray(required) && { required }),
    additionalProperties: false,
  }
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
