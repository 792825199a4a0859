import type { EncodedRequest, RecordLoss } from '../../../src/contract/codec.ts'
import type { GenerateRequest } from '../../../src/generate/request.ts'
import { refused } from '../../../src/kit/codec/read.ts'
import { defined } from '../../../src/lib/json/object.ts'

/** Writes a request whose only turn is a prompt. Throws `GatewayError` for another one. */
export function encodeRequest(
  request: GenerateRequest,
  model: string,
  _drop: RecordLoss,
): EncodedRequest {
  const { stream, maxOutputTokens, stop, endUser, sampling } = request
  const prompts = promptsOf(request)
  return {
    path: '/v1/completions',
    body: {
      model,
      prompt: prompts.length === 1 ? prompts[0] : prompts,
      ...(stream && { stream }),
      ...defined({
        max_tokens: maxOutputTokens,
        stop,
        user: endUser,
        temperature: sampling.temperature,
        top_p: sampling.topP,
        seed: sampling.seed,
        presence_penalty: sampling.presencePenalty,
        frequency_penalty: sampling.frequencyPenalty,
      }),
    },
  }
}

function promptsOf({ turns }: GenerateRequest): string[] {
  const [turn] = turns
  const parts = turn?.role === 'user' && turns.length === 1 ? turn.content : []
  const texts = parts.flatMap((part) => (part.type === 'text' ? part.text : []))
  if (texts.length > 0 && texts.length === parts.length) return texts
  throw refused('The Completions API takes a prompt of text alone.', 'prompt')
}
