import { describe, expect, test } from 'vitest'

import type { JsonObject } from '../../src/lib/json/object.ts'
import type { Name } from './samples/index.ts'
import { toldTo } from './told-members.ts'

describe('what an answer says of itself is no loss when it comes back', () => {
  test.each<[Name, JsonObject]>([
    [
      'chat',
      {
        messages: [
          { role: 'user', content: 'hi' },
          {
            role: 'assistant',
            content: 'ok',
            refusal: null,
            annotations: [],
            reasoning_content: 'Hm.',
            tool_calls: [
              {
                index: 0,
                id: 'c',
                type: 'function',
                function: { name: 'f', arguments: '{}', parsed_arguments: {} },
              },
            ],
          },
          { role: 'tool', tool_call_id: 'c', content: 'ok' },
        ],
      },
    ],
    [
      'responses',
      {
        input: [
          { type: 'reasoning', id: 'rs_1', status: null, summary: [], encrypted_content: 'x' },
          {
            type: 'message',
            id: 'msg_1',
            status: 'completed',
            role: 'assistant',
            phase: 'commentary',
            content: [{ type: 'output_text', text: 'ok', annotations: [], logprobs: [] }],
          },
          {
            type: 'function_call',
            id: 'fc_1',
            status: 'completed',
            call_id: 'c',
            name: 'f',
            namespace: 'n',
            arguments: '{}',
            internal_chat_message_metadata_passthrough: { turn: 1 },
          },
          { type: 'function_call_output', id: 'o', status: 'completed', call_id: 'c', output: '' },
        ],
      },
    ],
    [
      'messages',
      {
        messages: [
          {
            id: 'msg_1',
            type: 'message',
            role: 'assistant',
            model: 'm',
            stop_reason: 'tool_use',
            stop_sequence: null,
            usage: { input_tokens: 1 },
            content: [
              { type: 'text', text: 'ok', citations: null },
              { type: 'tool_use', id: 'c', name: 'f', input: {}, caller: { type: 'direct' } },
            ],
          },
          {
            role: 'user',
            content: [
              {
                type: 'tool_result',
                tool_use_id: 'c',
                content: 'ok',
                cache_control: { type: 'ephemeral' },
              },
            ],
          },
        ],
      },
    ],
  ])('to a client of %s', (client, body) => {
    expect(toldTo(client, body)).toEqual([])
  })
})
