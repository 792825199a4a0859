import { expect, test } from 'vitest'

import { decode } from './codec.ts'

test('a client that asks for nothing special uses no features', () => {
  expect(decode('hi')).toEqual({
    stream: false,
    turns: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    tools: [],
    sampling: {},
    fields: {},
    settings: { conversation: 'input' },
    extras: [],
  })
})

test('defaults that are spelled out change nothing', () => {
  const { fields, extras } = decode({
    temperature: 1,
    top_p: 1,
    top_logprobs: 0,
    store: true,
    parallel_tool_calls: true,
    background: false,
    truncation: 'disabled',
    service_tier: 'auto',
    presence_penalty: 0,
    text: { format: { type: 'text' }, verbosity: 'medium' },
    metadata: {},
    include: [],
    instructions: null,
    user: null,
    reasoning: { effort: null },
  })
  expect({ fields, extras }).toEqual({ fields: {}, extras: [] })
})

test('every setting has its place, and its name among the features', () => {
  const read = decode({
    stream: true,
    temperature: 1.5,
    top_p: 0.5,
    presence_penalty: 0.1,
    frequency_penalty: 0.2,
    max_output_tokens: 50,
    top_logprobs: 3,
    include: ['message.output_text.logprobs'],
    reasoning: { effort: 'high', summary: 'concise' },
    text: {
      verbosity: 'low',
      format: {
        type: 'json_schema',
        name: 'n',
        description: 'd',
        strict: true,
        schema: { type: 'object' },
      },
    },
    parallel_tool_calls: false,
    user: 'u',
    safety_identifier: 's',
    prompt_cache_key: 'k',
    service_tier: 'flex',
    store: false,
    metadata: { a: 'b' },
  })
  expect(read).toMatchObject({
    stream: true,
    sampling: { temperature: 1.5, topP: 0.5, presencePenalty: 0.1, frequencyPenalty: 0.2 },
    maxOutputTokens: 50,
    logprobs: { top: 3 },
    reasoning: { effort: 'high', summary: 'concise', show: true },
    verbosity: 'low',
    output: {
      kind: 'schema',
      name: 'n',
      description: 'd',
      strict: true,
      schema: { type: 'object' },
    },
    parallelToolCalls: false,
    endUser: 's',
    cacheKey: 'k',
    serviceTier: 'flex',
    store: false,
    metadata: { a: 'b' },
  })
  expect(read.fields).toEqual({
    temperature_above_1: 'temperature',
    presence_penalty: 'presence_penalty',
    frequency_penalty: 'frequency_penalty',
    logprobs: 'top_logprobs',
    reasoning_effort: 'reasoning.effort',
    reasoning_summary: 'reasoning.summary',
    verbosity: 'text.verbosity',
    json_schema: 'text.format',
    parallel_tool_calls: 'parallel_tool_calls',
    end_user: 'safety_identifier',
    cache_key: 'prompt_cache_key',
    service_tier: 'service_tier',
    metadata: 'metadata',
  })
})

test('a system text after the conversation has begun is midway', () => {
  const input = [
    { role: 'user', content: 'hi' },
    { role: 'developer', content: 'Stop.' },
  ]
  expect(decode({ input }).fields).toEqual({ system_midway: 'input[1]' })
})

test.each([
  [{ background: true }, 'background', 'native'],
  [{ prompt: { id: 'pmpt_1' } }, 'prompt', 'native'],
  [{ input: [{ type: 'item_reference', id: 'msg_1' }] }, 'input[0]', 'native'],
  [{ input: [{ id: 'msg_1' }] }, 'input[0]', 'native'],
  [{ input: [{ type: 'compaction', encrypted_content: 'x' }] }, 'input[0]', 'native'],
  [{ input: [{ type: 'web_search_call', id: 'ws_1' }] }, 'input[0]', 'native'],
  [{ truncation: 'auto' }, 'truncation', 'warn'],
  [{ context_management: [{ type: 'compaction' }] }, 'context_management', 'warn'],
  [{ moderation: { model: 'm' } }, 'moderation', 'warn'],
  [{ reasoning: { effort: 'low', context: 'all_turns' } }, 'reasoning.context', 'warn'],
  [{ surprise: 1 }, 'surprise', 'warn'],
  [{ max_tool_calls: 2 }, 'max_tool_calls', 'silent'],
  [{ prompt_cache_retention: '24h' }, 'prompt_cache_retention', 'silent'],
  [{ stream: true, stream_options: { include_obfuscation: false } }, 'stream_options', 'silent'],
])('%j is told: %s, %s', (body, field, treatment) => {
  expect(decode(body).extras).toMatchObject([{ field, treatment }])
})

test('what the gateway itself puts before the input is no matter of the request', () => {
  const plain = decode('hi')
  expect(decode({ input: 'hi', previous_response_id: 'resp_1' })).toEqual(plain)
  expect(decode({ input: 'hi', conversation: { id: 'conv_1' } })).toEqual(plain)
})

test.each([
  [{ reasoning: { effort: 'heroic' } }, 'reasoning.effort'],
  [{ text: { format: { type: 'yaml' } } }, 'text.format.type'],
  [{ text: { format: { type: 'json_schema', name: 'n' } } }, 'text.format.schema'],
  [{ metadata: { a: 1 } }, 'metadata.a'],
])('%j is refused with the place of it', (body, param) => {
  expect(() => decode(body)).toThrow(expect.objectContaining({ code: 'invalid_value', param }))
})
