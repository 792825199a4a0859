import { type JsonObject, isObject, listOf, numberOf, objectOf, textOf } from '../json.ts'

/**
 * The example value of a JSON schema, or of Gemini's OpenAPI subset of one. It is deterministic.
 */
export function exampleOf(schema: unknown): unknown {
  return example(schema, objectOf(schema), 0)
}

/** Like `exampleOf`, for the arguments of a tool: always an object. */
export function exampleArguments(schema: unknown): JsonObject {
  const value = exampleOf(schema)
  return isObject(value) ? value : {}
}

// Schemas may refer to themselves; beyond this depth, objects and arrays are as small as allowed.
const maxDepth = 8

function example(node: unknown, root: JsonObject, depth: number): unknown {
  if (!isObject(node)) return 'example'
  if (typeof node['$ref'] === 'string') return followReference(node['$ref'], root, depth)
  if ('const' in node) return node['const']
  if (Array.isArray(node['enum'])) return node['enum'][0]
  const [alternative] = [...listOf(node['anyOf']), ...listOf(node['oneOf'])]
  if (alternative !== undefined) return example(alternative, root, depth + 1)
  if (Array.isArray(node['allOf'])) return example(merged(node['allOf']), root, depth + 1)
  return exampleOfType(typeOf(node), node, root, depth)
}

function exampleOfType(type: string, node: JsonObject, root: JsonObject, depth: number): unknown {
  switch (type) {
    case 'object':
      return exampleObject(node, root, depth)
    case 'array':
      return exampleArray(node, root, depth)
    case 'number':
    case 'integer':
      return Math.max(1, numberOf(node['minimum']) ?? 1)
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return exampleString(node)
  }
}

function exampleObject(node: JsonObject, root: JsonObject, depth: number): JsonObject {
  const properties = objectOf(node['properties'])
  const required = Array.isArray(node['required']) ? node['required'].map(String) : undefined
  const keys = required ?? (depth < maxDepth ? Object.keys(properties) : [])
  return Object.fromEntries(keys.map((key) => [key, example(properties[key], root, depth + 1)]))
}

function exampleArray(node: JsonObject, root: JsonObject, depth: number): unknown[] {
  const least = numberOf(node['minItems']) ?? (depth < maxDepth ? 1 : 0)
  return Array.from({ length: least }, () => example(node['items'], root, depth + 1))
}

const stringsByFormat: Record<string, string> = {
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  time: '12:00:00Z',
  email: 'someone@example.com',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
}

function exampleString(node: JsonObject): string {
  const text = stringsByFormat[textOf(node['format'])] ?? 'example'
  return text.padEnd(numberOf(node['minLength']) ?? 0, '.').slice(0, numberOf(node['maxLength']))
}

// A type may be a list, whose first entry other than null counts. Gemini writes types in capitals.
function typeOf(node: JsonObject): string {
  const named = Array.isArray(node['type'])
    ? (node['type'].find((type) => type !== 'null') ?? 'null')
    : node['type']
  if (typeof named === 'string') return named.toLowerCase()
  return 'properties' in node ? 'object' : 'items' in node ? 'array' : 'string'
}

function followReference(reference: string, root: JsonObject, depth: number): unknown {
  if (depth > maxDepth * 2) return null
  const steps = reference.replace(/^#\/?/, '').split('/').filter(Boolean)
  let node: unknown = root
  for (const step of steps) node = objectOf(node)[step.replaceAll('~1', '/').replaceAll('~0', '~')]
  return example(node, root, depth + 1)
}

function merged(nodes: unknown[]): JsonObject {
  const all = nodes.map(objectOf)
  return {
    type: 'object',
    properties: Object.assign({}, ...all.map((node) => objectOf(node['properties']))),
    required: all.flatMap((node) => listOf(node['required'])),
  }
}
