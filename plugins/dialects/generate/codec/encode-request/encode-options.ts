import type { RecordLoss } from '../../../../../src/contract/codec.ts'
import { outputField, settingField } from '../../../../../src/generate/fields.ts'
import type { GenerateRequest, OutputFormat } from '../../../../../src/generate/request.ts'
import { refused } from '../../../../../src/kit/codec/read.ts'
import { supportedStops } from '../../../../../src/kit/codec/stops.ts'
import { type JsonObject, defined } from '../../../../../src/lib/json/object.ts'
import { encodeThinking } from './encode-thinking.ts'
import type { ModelFacts } from './models.ts'

const mostStops = 5

const mostCandidates = 8

const mostLogprobs = 20

/** `generationConfig`, but for the form of the answer. */
export function encodeOptions(
  request: GenerateRequest,
  model: ModelFacts,
  drop: RecordLoss,
): JsonObject {
  const { sampling } = request
  return defined({
    temperature: sampling.temperature,
    topP: sampling.topP,
    topK: sampling.topK,
    seed: sampling.seed === undefined ? undefined : asInt32(sampling.seed),
    presencePenalty: sampling.presencePenalty,
    frequencyPenalty: sampling.frequencyPenalty,
    maxOutputTokens: checkRoom(request),
    stopSequences: stopsOf(request, drop),
    candidateCount: candidatesOf(request),
    ...logprobsOf(request, drop),
    thinkingConfig: encodeThinking(request, model, drop),
  })
}

/** The same seed stays the same one, within the 32 bits that there are. */
function asInt32(seed: number): number {
  return Math.trunc(seed) | 0
}

function checkRoom(request: GenerateRequest): number | undefined {
  const { maxOutputTokens } = request
  if (maxOutputTokens !== undefined && maxOutputTokens < 1) {
    throw refused(
      'An answer must have room for one token at least.',
      settingField(request, 'max_output_tokens'),
    )
  }
  return maxOutputTokens
}

function stopsOf(request: GenerateRequest, drop: RecordLoss): readonly string[] | undefined {
  const sequences = supportedStops(request, drop, (sequence) => sequence !== '')
  if (sequences.length > mostStops) {
    throw refused(
      `The accounts of this model take ${mostStops} stop sequences.`,
      request.fields.stop,
    )
  }
  return sequences.length > 0 ? sequences : undefined
}

function candidatesOf({ candidates = 1, fields }: GenerateRequest): number | undefined {
  if (candidates > mostCandidates) {
    throw refused(`The accounts of this model give ${mostCandidates} answers.`, fields.candidates)
  }
  return candidates > 1 ? candidates : undefined
}

function logprobsOf({ logprobs, fields }: GenerateRequest, drop: RecordLoss): JsonObject {
  if (!logprobs) return {}
  const top = Math.min(logprobs.top, mostLogprobs)
  if (top < logprobs.top) {
    drop(
      fields.logprobs ?? 'logprobs',
      `the Gemini API tells ${top} alternatives at most; lowered to ${top}`,
    )
  }
  return { responseLogprobs: true, ...(top > 0 && { logprobs: top }) }
}

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
  drop: RecordLoss,
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
