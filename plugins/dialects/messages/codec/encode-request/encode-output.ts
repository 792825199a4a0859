import type { RecordLoss } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { outputField } from '../../../../../src/generate/fields.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import { enforcedSchema } from './enforced-schema.ts'
import { isFullyEnforced } from './fully-enforced.ts'
import type { ModelFacts } from './models.ts'
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
  const schema = { ...(description && { description }), ...output.schema }
  if (takesSchema && !usesPrefill && !isRecursive(schema)) {
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
