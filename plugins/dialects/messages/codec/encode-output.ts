import type { JsonObject } from '../../../../src/codec.ts'
import type { OutputFormat } from '../../../../src/generate/request.ts'
import { enforcedSchema } from './enforced-schema.ts'
import type { ModelFacts } from './models.ts'
import { isRecursive } from './recursive-schema.ts'

export interface EncodedOutput {
  readonly format?: JsonObject
  /** What the model is told where nothing can be enforced. */
  readonly demand?: string
}

/** The form of the answer: enforced where the model can be held to it, otherwise asked for. */
export function encodeOutput(
  output: OutputFormat | undefined,
  { takesSchema }: ModelFacts,
  isBegun: boolean,
): EncodedOutput {
  if (output?.kind === 'json') return { demand: 'Answer with a JSON object and nothing else.' }
  if (output?.kind !== 'schema') return {}
  const { description } = output
  const schema = { ...(description && { description }), ...output.schema }
  if (takesSchema && !isBegun && !isRecursive(schema)) {
    return { format: { type: 'json_schema', schema: enforcedSchema(schema) } }
  }
  const words = 'Answer with JSON that fits this JSON Schema, and with nothing else:'
  return { demand: `${words}\n${JSON.stringify(schema)}` }
}
