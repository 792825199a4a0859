import { checkBoolean, checkStrings } from '../../../../../src/kit/checks.ts'
import { isObject } from '../../../../../src/lib/json/object.ts'
import { camelOf } from './request-object.ts'

type Schema = Record<string, unknown>

/** Keys whose value is one schema, a list of schemas, or schemas by name. */
const schemaKeys = new Set(['items', 'additionalProperties', 'not'])
const listKeys = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const mapKeys = new Set(['properties', '$defs', 'defs', 'definitions', 'patternProperties'])
/** Keys whose value is the client's data, not a schema. */
const dataKeys = new Set(['enum', 'default', 'const', 'required', 'example', 'examples'])
/** Keys with 64-bit numbers, which Protobuf writes as text. */
const countKeys = new Set([
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minProperties',
  'maxProperties',
])
const droppedKeys = new Set(['nullable', 'propertyOrdering'])
const renamedKeys: Readonly<Record<string, string>> = { defs: '$defs', ref: '$ref' }

/**
 * Converts a schema in Google's variant of OpenAPI to JSON Schema. JSON Schema stays unchanged. Throws with the
 * client's `field` for members of another type that JSON Schema lacks.
 */
export function toJsonSchema(schema: Schema, field: string): Schema {
  checkOwn(schema, field)
  const converted: Schema = {}
  for (const [key, value] of Object.entries(schema)) {
    const name = camelOf(key)
    if (value === null || droppedKeys.has(name) || isEmptyType(name, value)) continue
    converted[renamedKeys[name] ?? name] = convertMember(name, value, field)
  }
  const ordered = orderProperties(converted, schema.propertyOrdering ?? schema.property_ordering)
  return schema.nullable === true ? orNull(ordered) : ordered
}

function checkOwn(schema: Schema, field: string): void {
  for (const name of ['propertyOrdering', 'property_ordering'])
    checkStrings(schema, name, Infinity, field)
  checkBoolean(schema, 'nullable', field)
}

/** In characters. */
const longestOrdered = 8_192

/** Puts `properties` in the order of Google's `propertyOrdering`; JSON Schema has no other order. */
function orderProperties(schema: Schema, ordering: unknown): Schema {
  const { properties } = schema
  if (!Array.isArray(ordering) || !isObject(properties)) return schema
  const first = ordering.filter((name): name is string => isMember(properties, String(name)))
  const ordered = Object.fromEntries(first.map((name) => [name, properties[name]]))
  return { ...schema, properties: { ...ordered, ...properties } }
}

/** Long names keep their place: V8 compares each one that it looks up with all others of the same length. */
function isMember(properties: Schema, name: string): boolean {
  return name.length <= longestOrdered && Object.hasOwn(properties, name)
}

function convertMember(name: string, value: unknown, field: string): unknown {
  const convertNode = (node: unknown) => (isObject(node) ? toJsonSchema(node, field) : node)
  if (dataKeys.has(name)) return value
  if (name === 'type') return lowerCaseType(value)
  if (countKeys.has(name) && typeof value === 'string') return countOf(value)
  if (schemaKeys.has(name))
    return Array.isArray(value) ? value.map(convertNode) : convertNode(value)
  if (listKeys.has(name)) return Array.isArray(value) ? value.map(convertNode) : value
  if (mapKeys.has(name) && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, convertNode(item)]))
  }
  return value
}

/** A count that is written as text; another text stays, for the account to refuse. */
function countOf(text: string): number | string {
  return /^\d+$/.test(text) ? Number(text) : text
}

function lowerCaseType(type: unknown): unknown {
  if (Array.isArray(type)) return type.map(lowerCaseType)
  return typeof type === 'string' ? type.toLowerCase() : type
}

/** Whether a member has no meaning: the type `TYPE_UNSPECIFIED` and the format `enum`. */
function isEmptyType(name: string, value: unknown): boolean {
  return (
    (name === 'type' && value === 'TYPE_UNSPECIFIED') || (name === 'format' && value === 'enum')
  )
}

function orNull(schema: Schema): Schema {
  const { type, enum: values, anyOf } = schema
  if (Array.isArray(anyOf) && type === undefined) {
    return { ...schema, anyOf: [...(anyOf as unknown[]), { type: 'null' }] }
  }
  if (typeof type !== 'string' || type === 'null') return schema
  return {
    ...schema,
    type: [type, 'null'],
    ...(Array.isArray(values) &&
      !values.includes(null) && { enum: [...(values as unknown[]), null] }),
  }
}
