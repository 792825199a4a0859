import type { Drop, JsonObject } from '../../../../src/codec.ts'
import { outputField } from '../../../../src/generate/fields.ts'
import type { GenerateRequest, OutputFormat } from '../../../../src/generate/request.ts'
import type { ModelFacts } from './models.ts'

/** The form of the answer as options, and for some older models in words. */
export interface EncodedOutput {
  readonly options: JsonObject
  readonly instruction?: string
}

const nothing: EncodedOutput = { options: {} }

/** Older models take no JSON form while they have tools, so they are told of it. */
export function encodeOutput(
  request: GenerateRequest,
  model: ModelFacts,
  drop: Drop,
): EncodedOutput {
  const { output, tools } = request
  if (!output || output.kind === 'text') return nothing
  if (tools.length > 0 && !model.isThird) {
    drop(outputField(request), 'the model takes none beside tools; it is asked for it in words')
    return { options: {}, instruction: instructionOf(output) }
  }
  const responseMimeType = 'application/json'
  if (output.kind === 'json') return { options: { responseMimeType } }
  return { options: { responseMimeType, responseJsonSchema: described(output) } }
}

function described({ schema, description }: Extract<OutputFormat, { kind: 'schema' }>): JsonObject {
  return description === undefined || 'description' in schema ? schema : { description, ...schema }
}

function instructionOf(output: Exclude<OutputFormat, { kind: 'text' }>): string {
  if (output.kind === 'json') return 'Answer with nothing but a JSON object.'
  const schema = JSON.stringify(described(output))
  return `Answer with nothing but JSON that conforms to this JSON schema:\n${schema}`
}
