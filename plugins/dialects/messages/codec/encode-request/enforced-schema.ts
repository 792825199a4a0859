import { type JsonObject, isObject } from '../../../../../src/lib/json/object.ts'

/** Keywords that accounts enforce, besides those that hold schemas. */
const enforced = ['$ref', '$schema', '$id', 'title', 'description', 'default', 'const', 'enum']

const formats = new Set([
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

/** Keywords that accounts refuse: what they ask for is told in the description. */
const described = [
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

/** A schema as accounts enforce it on what a model writes: they refuse some keywords of JSON Schema. */
export function enforcedSchema(schema: JsonObject): JsonObject {
  const kept = pick(schema, schema.$ref === undefined ? [...enforced, 'type'] : ['$ref'])
  for (const keyword of ['definitions', '$defs']) {
    if (isObject(schema[keyword])) kept[keyword] = eachMember(schema[keyword])
  }
  if (schema.$ref !== undefined) return kept
  const choices = schema.anyOf ?? schema.oneOf
  if (Array.isArray(choices)) kept.anyOf = choices.map(enforcedNode)
  if (Array.isArray(schema.allOf)) kept.allOf = schema.allOf.map(enforcedNode)
  if (schema.items !== undefined) kept.items = enforcedNode(schema.items)
  Object.assign(kept, closedMembers(schema))
  if (formats.has(schema.format as string)) kept.format = schema.format
  const demands = tellDemands(schema)
  if (demands !== '') kept.description = [schema.description, demands].filter(Boolean).join('\n')
  return kept
}

function enforcedNode(node: unknown): unknown {
  return isObject(node) ? enforcedSchema(node) : node
}

function eachMember(members: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, enforcedNode(member)]),
  )
}

/** Objects have the members that are named, and no others. */
function closedMembers({ type, properties, required }: JsonObject): JsonObject {
  const isObjects = type === 'object' || (Array.isArray(type) && type.includes('object'))
  if (!isObjects && !isObject(properties)) return {}
  return {
    ...(isObject(properties) && { properties: eachMember(properties) }),
    ...(Array.isArray(required) && { required }),
    additionalProperties: false,
  }
}

function tellDemands(schema: JsonObject): string {
  const demands = described.flatMap((keyword) => {
    const value = schema[keyword]
    if (value === undefined || value === null || value === false) return []
    return `${keyword}: ${typeof value === 'string' ? value : JSON.stringify(value)}`
  })
  const { format } = schema
  if (typeof format === 'string' && !formats.has(format)) demands.push(`format: ${format}`)
  return demands.length === 0 ? '' : `Demanded: ${demands.join('; ')}.`
}

function pick(schema: JsonObject, keywords: readonly string[]): Record<string, unknown> {
  const present = keywords.filter((keyword) => (schema[keyword] ?? undefined) !== undefined)
  return Object.fromEntries(present.map((keyword) => [keyword, schema[keyword]]))
}
