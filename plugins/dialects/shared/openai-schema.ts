import type { RecordLoss } from '../../../src/contract/codec.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { outputField } from '../../../src/generate/fields.ts'
import type { GenerateRequest, OutputFormat } from '../../../src/generate/request.ts'

type SchemaFormat = Extract<OutputFormat, { kind: 'schema' }>

/**
 * Whether OpenAI is to hold the answer to its schema. Clients of OpenAI say so themselves. The
 * dialects of others always do it, so that their clients are told where OpenAI cannot.
 */
export function resolveStrict(
  { schema, strict }: SchemaFormat,
  request: GenerateRequest,
  drop: RecordLoss,
): boolean {
  if (strict !== undefined) return strict
  const fits = fitsStrict(schema)
  if (!fits)
    drop(outputField(request), '`strict` takes no such schema; it is told and not enforced')
  return fits
}

/**
 * Whether a schema is one that `strict` takes (developers.openai.com/api/docs/guides/
 * structured-outputs, "Supported schemas"): an object at its root, where every object names all its
 * members as required and allows no others, and no keyword that is refused.
 */
export function fitsStrict(schema: JsonObject): boolean {
  return schema.type === 'object' && schema.anyOf === undefined && fits(schema)
}

/** Some stand in the guide, the others in OpenAI's errors: "'default' is not permitted". */
const refused = [
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

/** What tells which values a schema means; one that says nothing of it means all, and is refused. */
const telling = ['type', 'anyOf', '$ref', 'enum', 'const']

function fits(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false
  const schema = node as JsonObject
  if (refused.some((keyword) => keyword in schema)) return false
  if (!telling.some((keyword) => keyword in schema)) return false
  if (isOf(schema, 'object') && !isClosed(schema)) return false
  if (isOf(schema, 'array') && schema.items === undefined) return false
  return within(schema).every(fits)
}

function isOf({ type }: JsonObject, name: string): boolean {
  return Array.isArray(type) ? type.includes(name) : type === name
}

function isClosed({ properties, required, additionalProperties }: JsonObject): boolean {
  const named: unknown[] = Array.isArray(required) ? required : []
  return additionalProperties === false && namesOf(properties).every((name) => named.includes(name))
}

/** The schemas of which a schema consists. */
function within({ properties, $defs, definitions, items, anyOf }: JsonObject): unknown[] {
  return [
    ...[properties, $defs, definitions].flatMap((schemas) => Object.values(schemas ?? {})),
    ...(items === undefined ? [] : [items]),
    ...(Array.isArray(anyOf) ? (anyOf as unknown[]) : []),
  ]
}

function namesOf(properties: unknown): string[] {
  return Object.keys(properties ?? {})
}
