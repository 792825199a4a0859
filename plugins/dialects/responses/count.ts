import type { TokenCounting } from '../../../src/contract/codec.ts'
import { countedFields } from '../../../src/kit/counting.ts'
import { tokensAt } from '../../../src/lib/json/read.ts'

/** Request members that a token count accepts (SDK type `InputTokenCountParams`). */
const countedMembers = [
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

/** Token counting with `/v1/responses/input_tokens`. */
export const responsesCounting: TokenCounting = {
  requestOf: (request) => request,
  encodeCountRequest: (request) => ({
    ...request,
    path: '/v1/responses/input_tokens',
    body: countedFields(request.body, countedMembers),
  }),
  readCount: (reply) => tokensAt(reply, 'input_tokens'),
  encodeCount: (input_tokens) => ({ object: 'response.input_tokens', input_tokens }),
}
