import type { Counting } from '../../../src/contract/codec.ts'
import { fieldsOf } from '../../../src/kit/counting.ts'
import { tokens } from '../../../src/lib/json/read.ts'

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

export const responsesCounting: Counting = {
  asked: (question) => question,
  question: (request) => ({
    ...request,
    path: '/v1/responses/input_tokens',
    body: fieldsOf(request.body, counted),
  }),
  read: (answer) => tokens(answer, 'input_tokens'),
  answer: (input_tokens) => ({ object: 'response.input_tokens', input_tokens }),
}
