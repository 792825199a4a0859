import type { JsonObject } from '../../../../src/codec.ts'
import { GatewayError } from '../../../../src/errors.ts'
import type { GenerateRequest } from '../../../../src/generate/request.ts'
import { defined } from './defined.ts'
import { encodeThinking } from './encode-thinking.ts'
import type { ModelFacts } from './models.ts'

const mostStops = 5
const mostCandidates = 8

/** `generationConfig`, but for the form of the answer. */
export function encodeOptions(request: GenerateRequest, model: ModelFacts): JsonObject {
  const { sampling, reasoning } = request
  return defined({
    temperature: sampling.temperature,
    topP: sampling.topP,
    topK: sampling.topK,
    seed: sampling.seed === undefined ? undefined : asInt32(sampling.seed),
    presencePenalty: sampling.presencePenalty,
    frequencyPenalty: sampling.frequencyPenalty,
    maxOutputTokens: checkRoom(request),
    stopSequences: stopsOf(request),
    candidateCount: candidatesOf(request),
    ...logprobsOf(request),
    thinkingConfig: encodeThinking(reasoning, model),
  })
}

/** The same seed stays the same one, within the 32 bits that there are. */
function asInt32(seed: number): number {
  return Math.trunc(seed) | 0
}

function checkRoom({ maxOutputTokens }: GenerateRequest): number | undefined {
  if (maxOutputTokens !== undefined && maxOutputTokens < 1) {
    throw refused('An answer must have room for one token at least.')
  }
  return maxOutputTokens
}

function stopsOf({ stop = [], fields }: GenerateRequest): string[] | undefined {
  const sequences = stop.filter((sequence) => sequence !== '')
  if (sequences.length > mostStops) {
    throw refused(`The accounts of this model take ${mostStops} stop sequences.`, fields.stop)
  }
  return sequences.length > 0 ? sequences : undefined
}

function candidatesOf({ candidates = 1, fields }: GenerateRequest): number | undefined {
  if (candidates > mostCandidates) {
    throw refused(`The accounts of this model give ${mostCandidates} answers.`, fields.candidates)
  }
  return candidates > 1 ? candidates : undefined
}

function logprobsOf({ logprobs }: GenerateRequest): JsonObject {
  if (!logprobs) return {}
  return { responseLogprobs: true, ...(logprobs.top > 0 && { logprobs: logprobs.top }) }
}

function refused(message: string, param?: string): GatewayError {
  return new GatewayError('invalid_value', message, param === undefined ? {} : { param })
}
