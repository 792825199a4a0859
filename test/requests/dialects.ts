/** The four text dialects as their clients write them, each with its smallest request and reply. */
export const dialects = {
  responses: {
    path: '/v1/responses',
    credential: (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` }),
    request: { model: 'm', input: 'hi' },
    reply: {
      id: 'resp_1',
      object: 'response',
      created_at: 1,
      status: 'completed',
      model: 'm',
      output: [],
    },
  },
  chat: {
    path: '/v1/chat/completions',
    credential: (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` }),
    request: { model: 'm', messages: [{ role: 'user', content: 'hi' }] },
    reply: {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [
        { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'hello' } },
      ],
    },
  },
  messages: {
    path: '/v1/messages',
    credential: (key: string): Record<string, string> => ({
      'x-api-key': key,
      'anthropic-version': '2023-06-01',
    }),
    request: { model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] },
    reply: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [{ type: 'text', text: 'hello' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  },
  generate: {
    path: '/v1beta/models/m:generateContent',
    credential: (key: string): Record<string, string> => ({ 'x-goog-api-key': key }),
    request: { contents: [{ parts: [{ text: 'hi' }] }] },
    reply: {
      candidates: [
        { content: { parts: [{ text: 'hello' }], role: 'model' }, finishReason: 'STOP' },
      ],
    },
  },
}

export type DialectName = keyof typeof dialects

export const dialectNames = Object.keys(dialects) as DialectName[]
