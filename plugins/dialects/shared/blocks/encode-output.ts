import type { RecordLoss } from '../../../../src/contract/codec.ts'
import { type JsonObject, isObject } from '../../../../src/lib/json/object.ts'
import { outputField } from '../../../../src/generate/fields.ts'
import type { GenerateRequest } from '../../../../src/generate/request.ts'
import { EnforcedParts, enforcedSchema, forcesEmptiness } from './enforced-schema.ts'
import type { ModelFacts } from './models.ts'
import { modernSchema } from './modern-schema.ts'
import { isRecursive } from './recursive-schema.ts'

/** The encoded output format. */
interface EncodedOutput {
  readonly format?: JsonObject
  /** An instruction for the model where the format cannot be enforced. */
  readonly instruction?: string
}

/** Encodes the output format: an enforced schema where the model supports it, else an instruction. */
export function encodeOutput(
  request: GenerateRequest,
  { takesSchema }: ModelFacts,
  usesPrefill: boolean,
  drop: RecordLoss,
): EncodedOutput {
  const { output } = request
  if (output?.kind === 'json') return { instruction: 'Answer with a JSON object and nothing else.' }
  if (output?.kind !== 'schema') return {}
  const { description } = output
  const schema = modernSchema({ ...(description && { description }), ...output.schema })
  const mayEnforce = takesSchema && !usesPrefill && new EnforcedParts().take(schema)
  if (mayEnforce && !isRecursive(schema) && !forcesEmptiness(schema)) {
    const enforced = enforcedSchema(schema)
    if (!isFullyEnforced(schema, enforced)) {
      drop(
        outputField(request),
        'the API does not enforce all of the schema; the rest is described',
      )
    }
    return { format: { type: 'json_schema', schema: enforced } }
  }
  drop(outputField(request), 'the API does not enforce the schema; the prompt contains it')
  const words = 'Answer with JSON that fits this JSON Schema, and with nothing else:'
  return { instruction: `${words}\n${JSON.stringify(schema)}` }
}

/** Keywords that do not constrain values. */
const annotations = new Set([
  'description',
  'title',
  'default',
  '$schema',
  '$id',
  'examples',
  '$comment',
])

/**
 * Whether accounts enforce all constraints of a schema, whose form for accounts is `enforced`. They
 * always close its objects.
 */
export function isFullyEnforced(schema: JsonObject, enforced: JsonObject): boolean {
  // Without a copy of the constraints: a schema may have a hundred thousand nodes.
  return isSame(schema, enforced)
}

/** Compares the constraints of two nodes: all but annotations and closed objects. */
function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (!isObject(left) || !isObject(right)) return isSameList(left, right)
  const [ours, theirs] = [constraintsOf(left), constraintsOf(right)]
  if (ours.size !== theirs.size) return false
  for (const [name, value] of ours) {
    if (!theirs.has(name)) return false
    const other = theirs.get(name)
    if (!(mapKeywords.has(name) ? isSameMap(value, other) : isSame(value, other))) return false
  }
  return true
}

function constraintsOf(node: JsonObject): Map<string, unknown> {
  const constraints = new Map<string, unknown>()
  for (const name in node) {
    const value = node[name]
    if (annotations.has(name) || (name === 'additionalProperties' && value === false)) continue
    constraints.set(name === 'oneOf' ? 'anyOf' : name, value)
  }
  return constraints
}

function isSameList(left: unknown, right: unknown): boolean {
  if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false
  return left.every((one, index) => isSame(one, right[index]))
}

/** Keywords whose members have names of the client, not of JSON Schema. */
const mapKeywords = new Set(['properties', '$defs', 'definitions'])

function isSameMap(left: unknown, right: unknown): boolean {
  if (!isObject(left) || !isObject(right)) return isSame(left, right)
  if (Object.keys(left).length !== Object.keys(right).length) return false
  for (const name in left) {
    if (!isSame(left[name], right[name])) return false
  }
  return true
}
