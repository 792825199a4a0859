import type { RecordLoss, EncodedRequest } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { fitRequestToModel } from '../../../shared/openai-models.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import { matchResults } from '../../../../../src/generate/match-results.ts'
import { noteMissingResults } from '../../../../../src/kit/codec/missing-results.ts'
import { encodeTurns, noOutput } from './encode-items.ts'
import { encodeOptions } from './encode-options.ts'
import { encodeTools } from './encode-tools.ts'

/** Encodes a request for an account of this dialect and records its losses with `drop`. */
export function encodeRequest(
  original: GenerateRequest,
  upstreamModel: string,
  drop: RecordLoss,
): EncodedRequest {
  const request = fitRequestToModel(original, upstreamModel, 'max', drop)
  const { instructions, input } = splitInstructions(request)
  const results = matchResults(request.turns)
  noteMissingResults(request, results, { api: 'Responses API', output: noOutput }, drop)
  const body = {
    model: upstreamModel,
    ...(instructions !== undefined && { instructions }),
    input: mentionJson(encodeTurns(input, results), request),
    ...(request.stream && { stream: true }),
    ...encodeTools(request),
    ...encodeOptions(request, upstreamModel, drop),
  }
  return { path: '/v1/responses', body }
}

/** Leading system turns become `instructions`, unless the request has no other turns. */
function splitInstructions({ turns }: GenerateRequest) {
  const begin = turns.findIndex(({ role }) => role !== 'system')
  if (begin <= 0) return { instructions: undefined, input: turns }
  const texts = turns
    .slice(0, begin)
    .flatMap((turn) => (turn.role === 'system' ? turn.content : []))
    .map(({ text }) => text)
  return { instructions: texts.join('\n\n'), input: turns.slice(begin) }
}

/** OpenAI refuses JSON mode unless the input contains the word "JSON". */
function mentionJson(items: readonly JsonObject[], { output }: GenerateRequest) {
  if (output?.kind !== 'json' || /json/i.test(JSON.stringify(items))) return items
  const content = [{ type: 'input_text', text: 'Answer in JSON.' }]
  return [{ type: 'message', role: 'system', content }, ...items]
}
