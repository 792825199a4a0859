import type { DialectName } from '../dialects.ts'

/** Why an answer ends, in the words of each client. */
export const endings = {
  done: { responses: 'completed', chat: 'stop', messages: 'end_turn', generate: 'STOP' },
  calls: { responses: 'completed', chat: 'tool_calls', messages: 'tool_use', generate: 'STOP' },
  length: {
    responses: 'max_output_tokens',
    chat: 'length',
    messages: 'max_tokens',
    generate: 'MAX_TOKENS',
  },
} as const satisfies Record<string, Record<DialectName, string>>
