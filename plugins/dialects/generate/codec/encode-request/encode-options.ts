import type { RecordLoss } from '../../../../../src/contract/codec.ts'
import { outputField, settingField } from '../../../../../src/generate/fields.ts'
import type { GenerateRequest, OutputFormat } from '../../../../../src/generate/request.ts'
import { refused } from '../../../../../src/kit/codec/read.ts'
import { supportedStops } from '../../../../../src/kit/codec/stops.ts'
import { type JsonObject, defined } from '../../../../../src/lib/json/object.ts'
import { encodeThinking } from './encode-thinking.ts'
import type { ModelFacts } from './models.ts'

const maxStops = 5

const maxCandidates = 8

const maxLogprobs = 20

/** Encodes `generationConfig`, except for the output format. */
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
    seed: sampling.seed === undefined ? undefined : asInt32(sampling.seed, request, drop),
    presencePenalty: sampling.presencePenalty,
    frequencyPenalty: sampling.frequencyPenalty,
    maxOutputTokens: checkLimit(request),
    stopSequences: stopsOf(request, drop),
    candidateCount: candidatesOf(request),
    ...logprobsOf(request, drop),
    thinkingConfig: encodeThinking(request, model, drop),
  })
}

/** Maps a seed to 32 bits. Equal seeds stay equal. */
function asInt32(seed: number, request: GenerateRequest, drop: RecordLoss): number {
  const short = Math.trunc(seed) | 0
  if (short !== seed) {
    drop(
      request.fields.seed ?? 'seed',
      'the Gemini API takes seeds of 32 bits; the lowest bits are sent',
    )
  }
  return short
}

function checkLimit(request: GenerateRequest): number | undefined {
  const { maxOutputTokens } = request
  if (maxOutputTokens !== undefined && maxOutputTokens < 1) {
    throw refused(
      'The maximum number of output tokens must be at least 1.',
      settingField(request, 'max_output_tokens'),
    )
  }
  return maxOutputTokens
}

function stopsOf(request: GenerateRequest, drop: RecordLoss): readonly string[] | undefined {
  const sequences = supportedStops(request, drop, (sequence) => sequence !== '')
  if (sequences.length > maxStops) {
    throw refused(
      `The accounts of this model support ${maxStops} stop sequences.`,
      request.fields.stop,
    )
  }
  return sequences.length > 0 ? sequences : undefined
}

function candidatesOf({ candidates = 1, fields }: GenerateRequest): number | undefined {
  if (candidates > maxCandidates) {
    throw refused(
      `The accounts of this model support ${maxCandidates} candidates.`,
      fields.candidates,
    )
  }
  return candidates > 1 ? candidates : undefined
}

function logprobsOf({ logprobs, fields }: GenerateRequest, drop: RecordLoss): JsonObject {
  if (!logprobs) return {}
  const top = Math.min(logprobs.top, maxLogprobs)
  if (top < logprobs.top) {
    drop(
      fields.logprobs ?? 'logprobs',
      `the Gemini API returns ${top} alternatives at most; lowered to ${top}`,
    )
  }
  return { responseLogprobs: true, ...(top > 0 && { logprobs: top }) }
}

/** The encoded output format: options, and an instruction for some older models. */
interface EncodedOutput {
  readonly options: JsonObject
  readonly instruction?: string
}

const noOutput: EncodedOutput = { options: {} }

/** Encodes the output format. Older models support no JSON together with tools: they get an instruction. */
export function encodeOutput(
  request: GenerateRequest,
  model: ModelFacts,
  drop: RecordLoss,
): EncodedOutput {
  const { output, tools } = request
  if (!output || output.kind === 'text') return noOutput
  if (tools.length > 0 && !model.isThirdGeneration) {
    drop(outputField(request), 'the model does not support it with tools; the prompt asks for it')
    return { options: {}, instruction: instructionOf(output) }
  }
  const responseMimeType = 'application/json'
  if (output.kind === 'json') return { options: { responseMimeType } }
  return { options: { responseMimeType, responseJsonSchema: withDescription(output) } }
}

function withDescription({
  schema,
  description,
}: Extract<OutputFormat, { kind: 'schema' }>): JsonObject {
  return description === undefined || 'description' in schema ? schema : { description, ...schema }
}

function instructionOf(output: Exclude<OutputFormat, { kind: 'text' }>): string {
  if (output.kind === 'json') return 'Answer with nothing but a JSON object.'
  const schema = JSON.stringify(withDescription(output))
  return `Answer with nothing but JSON that conforms to this JSON schema:\n${schema}`
}
