import { describe, expect, test } from 'vitest'

import { chatCodec } from '../../../plugins/dialects/chat/codec/index.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { asked, decoded } from './asking.ts'

const encodeRequest = (body: JsonObject) =>
  chatCodec.encodeRequest(chatCodec.decodeRequest(asked(body)), 'm', () => {}).body

/** What a client of this dialect sends, in the form in which accounts get it. */
const bodies: readonly [string, JsonObject][] = [
  [
    'a conversation with tools',
    {
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Look, then run.' },
        {
          role: 'assistant',
          content: 'Yes.',
          tool_calls: [
            {
              id: 'a',
              type: 'function',
              function: { name: 'look', arguments: '{"at":1}' },
              extra_content: { google: { thought_signature: 'c2ln' } },
            },
            { id: 'b', type: 'custom', custom: { name: 'run', input: 'ls' } },
          ],
        },
        { role: 'tool', tool_call_id: 'a', content: 'seen' },
        { role: 'tool', tool_call_id: 'b', content: 'a.txt' },
        { role: 'assistant', content: null, refusal: 'No more.' },
        { role: 'user', content: 'Please.' },
      ],
      tools: [
        {
          type: 'function',
          function: {
            name: 'look',
            description: 'Looks.',
            parameters: { type: 'object', properties: { at: { type: 'number' } } },
            strict: false,
          },
        },
        {
          type: 'custom',
          custom: {
            name: 'run',
            format: { type: 'grammar', grammar: { syntax: 'regex', definition: '.*' } },
          },
        },
      ],
      tool_choice: { type: 'custom', custom: { name: 'run' } },
      parallel_tool_calls: false,
    },
  ],
  [
    'media',
    {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'See.' },
            { type: 'image_url', image_url: { url: 'https://x.test/a', detail: 'low' } },
            { type: 'image_url', image_url: { url: 'data:image/webp;base64,UklG' } },
            { type: 'input_audio', input_audio: { data: 'UklG', format: 'mp3' } },
            {
              type: 'file',
              file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBE' },
            },
          ],
        },
      ],
    },
  ],
  [
    'settings',
    {
      messages: [{ role: 'user', content: 'As JSON' }],
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'a', description: 'b', schema: { type: 'object' }, strict: false },
      },
      verbosity: 'low',
      reasoning_effort: 'medium',
      logprobs: true,
      top_logprobs: 2,
      temperature: 1.2,
      top_p: 0.9,
      seed: -5,
      presence_penalty: 0.1,
      frequency_penalty: 0.2,
      max_completion_tokens: 100,
      stop: ['END'],
      n: 2,
      safety_identifier: 'u',
      user: 'u',
      metadata: { a: 'b' },
      prompt_cache_key: 'k',
      service_tier: 'priority',
      store: true,
      stream: true,
      stream_options: { include_usage: true },
    },
  ],
]

describe('a request that is read and written again', () => {
  test.each(bodies)('is the same for %s', (_, body) => {
    expect(encodeRequest(body)).toEqual({ model: 'm', ...body })
  })

  test('has names of its own for what was called otherwise before', () => {
    const body = { max_tokens: 7, user: 'u', stop: 'END' }

    expect(decoded(body)).toMatchObject({ maxOutputTokens: 7, endUser: 'u', stop: ['END'] })
    expect(encodeRequest(body)).toMatchObject({
      max_completion_tokens: 7,
      safety_identifier: 'u',
      stop: ['END'],
    })
  })
})
