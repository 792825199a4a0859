import type { RecordLoss, EncodedRequest } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { fitRequestToModel } from '../../../shared/openai-models.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import { encodeTurns } from './encode-items.ts'
import { encodeOptions } from './encode-options.ts'
import { encodeTools } from './encode-tools.ts'

/** A request for an account that speaks Responses. */
export function encodeRequest(
  asked: GenerateRequest,
  upstreamModel: string,
  drop: RecordLoss,
): EncodedRequest {
  const request = fitRequestToModel(asked, upstreamModel, 'max', drop)
  const { instructions, input } = splitInstructions(request)
  const body = {
    model: upstreamModel,
    ...(instructions !== undefined && { instructions }),
    input: mentionJson(encodeTurns(input), request),
    ...(request.stream && { stream: true }),
    ...encodeTools(request),
    ...encodeOptions(request, upstreamModel, drop),
  }
  return { path: '/v1/responses', body }
}

/** What the system says first becomes `instructions`, unless there is nothing else. */
function splitInstructions({ turns }: GenerateRequest) {
  const begin = turns.findIndex(({ role }) => role !== 'system')
  if (begin <= 0) return { instructions: undefined, input: turns }
  const texts = turns
    .slice(0, begin)
    .flatMap((turn) => (turn.role === 'system' ? turn.content : []))
    .map(({ text }) => text)
  return { instructions: texts.join('\n\n'), input: turns.slice(begin) }
}

/** OpenAI refuses to answer in JSON unless the input says the word. */
function mentionJson(items: readonly JsonObject[], { output }: GenerateRequest) {
  if (output?.kind !== 'json' || /json/i.test(JSON.stringify(items))) return items
  const content = [{ type: 'input_text', text: 'Answer in JSON.' }]
  return [{ type: 'message', role: 'system', content }, ...items]
}
