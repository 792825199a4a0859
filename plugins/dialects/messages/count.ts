import type { TokenCounting } from '../../../src/contract/codec.ts'
import { countedFields } from '../../../src/kit/counting.ts'
import { tokensAt } from '../../../src/lib/json/read.ts'

/** The request fields that a token count accepts (SDK type `MessageCountTokensParams`). */
const counted = [
  'messages',
  'model',
  'output_config',
  'system',
  'thinking',
  'tool_choice',
  'tools',
] as const

/** Counts the tokens of a request with `/v1/messages/count_tokens`. */
export const messagesCounting: TokenCounting = {
  requestOf: (question) => question,
  encodeCountRequest: (request) => ({
    ...request,
    path: '/v1/messages/count_tokens',
    body: countedFields(request.body, counted),
  }),
  readCount: (answer) => tokensAt(answer, 'input_tokens'),
  encodeCount: (input_tokens) => ({ input_tokens }),
}
