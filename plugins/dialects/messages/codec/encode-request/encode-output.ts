import type { RecordLoss } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { outputField } from '../../../../../src/generate/fields.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import { enforcedSchema } from './enforced-schema.ts'
import { isEnforcedWhole } from './enforced-whole.ts'
import type { ModelFacts } from './models.ts'
import { isRecursive } from './recursive-schema.ts'

export interface EncodedOutput {
  readonly format?: JsonObject
  /** What the model is told where nothing can be enforced. */
  readonly demand?: string
}

/** The form of the answer: enforced where the model can be held to it, otherwise asked for. */
export function encodeOutput(
  request: GenerateRequest,
  { takesSchema }: ModelFacts,
  isBegun: boolean,
  drop: RecordLoss,
): EncodedOutput {
  const { output } = request
  if (output?.kind === 'json') return { demand: 'Answer with a JSON object and nothing else.' }
  if (output?.kind !== 'schema') return {}
  const { description } = output
  const schema = { ...(description && { description }), ...output.schema }
  if (takesSchema && !isBegun && !isRecursive(schema)) {
    if (!isEnforcedWhole(schema)) {
      drop(outputField(request), 'nothing enforces some of the schema; it is told in words')
    }
    return { format: { type: 'json_schema', schema: enforcedSchema(schema) } }
  }
  drop(outputField(request), 'nothing enforces the schema; it is told in words')
  const words = 'Answer with JSON that fits this JSON Schema, and with nothing else:'
  return { demand: `${words}\n${JSON.stringify(schema)}` }
}
