import type { Counting } from '../../../src/contract/codec.ts'
import { fieldsOf } from '../../../src/kit/counting.ts'
import { tokens } from '../../../src/lib/json/read.ts'

/** What a token count takes of a request (SDK type `MessageCountTokensParams`). */
const counted = [
  'messages',
  'model',
  'output_config',
  'system',
  'thinking',
  'tool_choice',
  'tools',
] as const

export const messagesCounting: Counting = {
  asked: (question) => question,
  question: (request) => ({
    ...request,
    path: '/v1/messages/count_tokens',
    body: fieldsOf(request.body, counted),
  }),
  read: (answer) => tokens(answer, 'input_tokens'),
  answer: (input_tokens) => ({ input_tokens }),
}
