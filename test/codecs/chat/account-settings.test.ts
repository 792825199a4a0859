import { describe, expect, test } from 'vitest'

import type { JsonObject } from '../../../src/lib/json/object.ts'
import type { GenerateRequest } from '../../../src/generate/request.ts'
import type { Tool } from '../../../src/generate/tools.ts'
import { encoded } from './asking.ts'

const tools: Tool[] = [
  { kind: 'function', name: 'look' },
  { kind: 'function', name: 'hear', description: 'Hears.', parameters: { type: 'object' } },
]

const closed = {
  type: 'object',
  properties: { a: { type: 'string' } },
  required: ['a'],
  additionalProperties: false,
}

/** What is asked for in neutral words, and in those of chat completions. */
const rows: readonly [string, Partial<GenerateRequest>, JsonObject][] = [
  ['a limit of tokens', { maxOutputTokens: 5 }, { max_completion_tokens: 5 }],
  ['stop sequences', { stop: ['a', 'b'] }, { stop: ['a', 'b'] }],
  [
    'sampling',
    {
      sampling: { temperature: 1.5, topP: 0.5, seed: 1, presencePenalty: 1, frequencyPenalty: -1 },
    },
    { temperature: 1.5, top_p: 0.5, seed: 1, presence_penalty: 1, frequency_penalty: -1 },
  ],
  ['top_k, which is left out', { sampling: { topK: 5 } }, {}],
  ['answers to choose from', { candidates: 3 }, { n: 3 }],
  ['logprobs', { logprobs: { top: 3 } }, { logprobs: true, top_logprobs: 3 }],
  ['logprobs without others', { logprobs: { top: 0 } }, { logprobs: true }],
  ['an end user', { endUser: 'u' }, { safety_identifier: 'u', user: 'u' }],
  ['a cache key', { cacheKey: 'k' }, { prompt_cache_key: 'k' }],
  ['an ordinary tier', { serviceTier: 'standard_only' }, { service_tier: 'default' }],
  ['a tier of others', { serviceTier: 'batch-only' }, {}],
  [
    'metadata of what is stored',
    { store: true, metadata: { a: 'b' } },
    { store: true, metadata: { a: 'b' } },
  ],
  ['metadata of what is not', { metadata: { a: 'b' } }, {}],
  ['an effort', { reasoning: { effort: 'medium' } }, { reasoning_effort: 'medium' }],
  ['a budget of 10000', { reasoning: { budget: 10_000 } }, { reasoning_effort: 'high' }],
  ['a budget of 5000', { reasoning: { budget: 5000 } }, { reasoning_effort: 'medium' }],
  ['a budget of 2000', { reasoning: { budget: 2000 } }, { reasoning_effort: 'low' }],
  ['a budget of 1024', { reasoning: { budget: 1024 } }, { reasoning_effort: 'low' }],
  ['verbosity', { verbosity: 'high' }, { verbosity: 'high' }],
  ['plain text', { output: { kind: 'text' } }, {}],
  [
    'a schema without a name',
    { output: { kind: 'schema', schema: closed } },
    {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'response', schema: closed, strict: true },
      },
    },
  ],
  [
    'a schema that cannot be strict',
    { output: { kind: 'schema', schema: { type: 'object' }, name: 'my shape' } },
    {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'my_shape', schema: { type: 'object' }, strict: false },
      },
    },
  ],
  ['a stream', { stream: true }, { stream: true, stream_options: { include_usage: true } }],
  ['a choice without tools', { toolChoice: { mode: 'auto' }, parallelToolCalls: true }, {}],
]

const { model, messages, ...nothing } = encoded({})

describe('an account that is asked for', () => {
  test('nothing in particular, reads the model and the messages', () => {
    expect({ model, messages }).toEqual({
      model: 'upstream-model',
      messages: [{ role: 'user', content: 'Hello' }],
    })
    expect(nothing).toEqual({})
  })

  test.each(rows)('%s, reads it in its own words', (_, request, expected) => {
    expect(encoded(request)).toEqual({ model, messages, ...expected })
  })

  test('JSON, is told so in words as well, without which it refuses', () => {
    expect(encoded({ output: { kind: 'json' } })).toMatchObject({
      messages: [{ role: 'system', content: expect.stringContaining('JSON') }, {}],
      response_format: { type: 'json_object' },
    })
  })

  test('more than it can do, is not asked at all', () => {
    const stop = ['a', 'b', 'c', 'd', 'e']

    expect(() => encoded({ stop, fields: { stop: 'stop_sequences' } })).toThrow(
      expect.objectContaining({ status: 400, param: 'stop_sequences' }),
    )
    expect(() => encoded({ maxOutputTokens: 0 })).toThrow(expect.objectContaining({ status: 400 }))
  })
})

describe('an account that is given tools', () => {
  test('reads what each takes, and `tool_choice none` as such', () => {
    expect(encoded({ tools, toolChoice: { mode: 'none' } })).toMatchObject({
      tools: [
        { type: 'function', function: { name: 'look' } },
        {
          type: 'function',
          function: {
            name: 'hear',
            description: 'Hears.',
            parameters: { type: 'object', properties: {} },
          },
        },
      ],
      tool_choice: 'none',
    })
  })

  test.each([
    [{ mode: 'auto' }, 'auto'],
    [{ mode: 'required' }, 'required'],
    [
      { mode: 'required', only: ['hear'] },
      { type: 'function', function: { name: 'hear' } },
    ],
  ] as const)('reads the choice %j', (toolChoice, expected) => {
    expect(encoded({ tools, toolChoice }).tool_choice).toEqual(expected)
  })

  test('has only those that the model may call', () => {
    const more: Tool[] = [...tools, { kind: 'function', name: 'feel' }]
    const toolChoice = { mode: 'required', only: ['look', 'feel'] } as const

    expect(encoded({ tools: more, toolChoice })).toMatchObject({
      tools: [{ function: { name: 'look' } }, { function: { name: 'feel' } }],
      tool_choice: 'required',
    })
  })

  test('reads a grammar nested as it wants it', () => {
    const grammar = { syntax: 'lark', definition: 'start: "a"' }

    expect(encoded({ tools: [{ kind: 'custom', name: 'run', grammar }] }).tools).toEqual([
      { type: 'custom', custom: { name: 'run', format: { type: 'grammar', grammar } } },
    ])
  })
})
