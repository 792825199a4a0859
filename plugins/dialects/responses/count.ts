import type { TokenCounting } from '../../../src/contract/codec.ts'
import { countedFields } from '../../../src/kit/counting.ts'
import { tokensAt } from '../../../src/lib/json/read.ts'

/** What a token count takes of a request (SDK type `InputTokenCountParams`). */
const counted = [
  'input',
  'instructions',
  'model',
  'parallel_tool_calls',
  'reasoning',
  'text',
  'tool_choice',
  'tools',
  'truncation',
] as const

export const responsesCounting: TokenCounting = {
  requestOf: (question) => question,
  encodeCountRequest: (request) => ({
    ...request,
    path: '/v1/responses/input_tokens',
    body: countedFields(request.body, counted),
  }),
  readCount: (answer) => tokensAt(answer, 'input_tokens'),
  encodeCount: (input_tokens) => ({ object: 'response.input_tokens', input_tokens }),
}
