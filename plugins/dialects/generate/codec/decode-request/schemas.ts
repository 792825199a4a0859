import { isObject } from '../../../../../src/lib/json/object.ts'
import { camelOf } from './field-place.ts'

type Schema = Record<string, unknown>

/** Keys whose value is one schema, a list of schemas, or schemas by name. */
const schemaKeys = new Set(['items', 'additionalProperties', 'not'])
const listKeys = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const mapKeys = new Set(['properties', '$defs', 'defs', 'definitions', 'patternProperties'])
/** What the user wrote: its keys are no schema's. */
const dataKeys = new Set(['enum', 'default', 'const', 'required', 'example', 'examples'])
/** Protobuf writes 64-bit numbers as text. */
const countKeys = new Set([
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minProperties',
  'maxProperties',
])
const dropped = new Set(['nullable', 'propertyOrdering'])
const written: Readonly<Record<string, string>> = { defs: '$defs', ref: '$ref' }

/** An OpenAPI schema as Google writes them, as JSON Schema. JSON Schema stays what it is. */
export function toJsonSchema(schema: Schema): Schema {
  const lowered: Schema = {}
  for (const [key, value] of Object.entries(schema)) {
    const name = camelOf(key)
    if (value === null || dropped.has(name) || isEmptyType(name, value)) continue
    lowered[written[name] ?? name] = lowerMember(name, value)
  }
  return schema.nullable === true ? orNull(lowered) : lowered
}

function lowerMember(name: string, value: unknown): unknown {
  if (dataKeys.has(name)) return value
  if (name === 'type') return lowerType(value)
  if (countKeys.has(name) && typeof value === 'string') return Number(value)
  if (schemaKeys.has(name)) return Array.isArray(value) ? value.map(lowerAny) : lowerAny(value)
  if (listKeys.has(name)) return Array.isArray(value) ? value.map(lowerAny) : value
  if (mapKeys.has(name) && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, lowerAny(item)]))
  }
  return value
}

function lowerAny(value: unknown): unknown {
  return isObject(value) ? toJsonSchema(value) : value
}

function lowerType(type: unknown): unknown {
  if (Array.isArray(type)) return type.map(lowerType)
  return typeof type === 'string' ? type.toLowerCase() : type
}

/** `TYPE_UNSPECIFIED` says nothing, and `enum` is the format of every text with an `enum`. */
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
