import type { RecordLoss } from '../../../src/contract/codec.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { outputField } from '../../../src/generate/fields.ts'
import type { GenerateRequest, OutputFormat } from '../../../src/generate/request.ts'

type SchemaFormat = Extract<OutputFormat, { kind: 'schema' }>

/**
 * Returns the value of `strict`: whether OpenAI enforces the schema. A client that sets `strict`
 * decides. Clients of other dialects always expect enforcement, so that the function records a loss
 * where `strict` does not support the schema.
 */
export function resolveStrict(
  { schema, strict }: SchemaFormat,
  request: GenerateRequest,
  drop: RecordLoss,
): boolean {
  if (strict !== undefined) return strict
  const isSupported = supportsStrict(schema)
  if (!isSupported)
    drop(outputField(request), '`strict` does not support this schema; it is sent and not enforced')
  return isSupported
}

/**
 * Whether `strict` supports a schema (developers.openai.com/api/docs/guides/structured-outputs,
 * "Supported schemas"): its root is an object, every object lists all its members as required and
 * allows no others, and it uses no unsupported keyword.
 */
function supportsStrict(schema: JsonObject): boolean {
  return schema.type === 'object' && schema.anyOf === undefined && isSupported(schema)
}

/** Unsupported keywords, from the guide and from OpenAI's errors: "'default' is not permitted". */
const unsupportedKeywords = [
  'allOf',
  'default',
  'dependentRequired',
  'dependentSchemas',
  'else',
  'if',
  'not',
  'oneOf',
  'patternProperties',
  'prefixItems',
  'propertyNames',
  'then',
  'unevaluatedProperties',
  'uniqueItems',
]

/** Keywords that constrain values. `strict` refuses a schema without any, which allows all values. */
const constrainingKeywords = ['type', 'anyOf', '$ref', 'enum', 'const']

function isSupported(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false
  const schema = node as JsonObject
  if (unsupportedKeywords.some((keyword) => keyword in schema)) return false
  if (!constrainingKeywords.some((keyword) => keyword in schema)) return false
  if (hasType(schema, 'object') && !isClosed(schema)) return false
  if (hasType(schema, 'array') && schema.items === undefined) return false
  return subschemasOf(schema).every(isSupported)
}

function hasType({ type }: JsonObject, name: string): boolean {
  return Array.isArray(type) ? type.includes(name) : type === name
}

function isClosed({ properties, required, additionalProperties }: JsonObject): boolean {
  const named: unknown[] = Array.isArray(required) ? required : []
  return additionalProperties === false && namesOf(properties).every((name) => named.includes(name))
}

/** Returns the direct subschemas of a schema. */
function subschemasOf({ properties, $defs, definitions, items, anyOf }: JsonObject): unknown[] {
  return [
    ...[properties, $defs, definitions].flatMap((schemas) => Object.values(schemas ?? {})),
    ...(items === undefined ? [] : [items]),
    ...(Array.isArray(anyOf) ? (anyOf as unknown[]) : []),
  ]
}

function namesOf(properties: unknown): string[] {
  return Object.keys(properties ?? {})
}
