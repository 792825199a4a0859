import { describe, expect, test } from 'vitest'

import type { JsonObject } from '../../../src/lib/json/object.ts'
import type { Feature } from '../../../src/generate/unsupported.ts'
import { decoded } from './asking.ts'

/** What uses a feature, and what the client calls it. */
const features: readonly [Feature, JsonObject, string][] = [
  ['cache_key', { prompt_cache_key: 'k' }, 'prompt_cache_key'],
  ['candidates', { n: 2 }, 'n'],
  ['custom_tools', { tools: [{ type: 'custom', custom: { name: 'run' } }] }, 'tools[0]'],
  ['end_user', { safety_identifier: 'u' }, 'safety_identifier'],
  ['end_user', { user: 'u' }, 'user'],
  ['frequency_penalty', { frequency_penalty: 0.5 }, 'frequency_penalty'],
  ['json_object', { response_format: { type: 'json_object' } }, 'response_format'],
  [
    'json_schema',
    { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: {} } } },
    'response_format.json_schema',
  ],
  ['logprobs', { logprobs: true, top_logprobs: 2 }, 'logprobs'],
  ['metadata', { metadata: { a: 'b' } }, 'metadata'],
  ['parallel_tool_calls', { parallel_tool_calls: false }, 'parallel_tool_calls'],
  ['presence_penalty', { presence_penalty: -1 }, 'presence_penalty'],
  ['reasoning_effort', { reasoning_effort: 'low' }, 'reasoning_effort'],
  ['seed', { seed: 7 }, 'seed'],
  ['service_tier', { service_tier: 'flex' }, 'service_tier'],
  ['stop', { stop: 'END' }, 'stop'],
  ['store', { store: true }, 'store'],
  [
    'strict_tools',
    { tools: [{ type: 'function', function: { name: 'f', strict: true } }] },
    'tools[0].function.strict',
  ],
  ['temperature_above_1', { temperature: 1.5 }, 'temperature'],
  [
    'tool_subset',
    {
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'f' } }] },
      },
    },
    'tool_choice.allowed_tools',
  ],
  ['verbosity', { verbosity: 'low' }, 'verbosity'],
]

describe('what a client uses', () => {
  test.each(features)('%s is known by the name that the client gives it', (name, body, field) => {
    expect(decoded(body).fields).toEqual({ [name]: field })
  })

  test('is nothing where it only says what holds anyway', () => {
    const { fields, extras } = decoded({
      n: 1,
      temperature: 1,
      top_p: 1,
      frequency_penalty: 0,
      presence_penalty: 0,
      service_tier: 'auto',
      store: false,
      logprobs: false,
      parallel_tool_calls: true,
      response_format: { type: 'text' },
      modalities: ['text'],
      logit_bias: {},
      stop: null,
      metadata: null,
      seed: null,
      tools: null,
    })

    expect(fields).toEqual({})
    expect(extras).toEqual([])
  })
})

describe('what only chat completions has', () => {
  test.each([
    ['audio', { audio: { format: 'wav', voice: 'alloy' } }],
    ['modalities', { modalities: ['text', 'audio'] }],
    ['logit_bias', { logit_bias: { 50256: -100 } }],
    ['prediction', { prediction: { type: 'content', content: 'a' } }],
    ['web_search_options', { web_search_options: {} }],
    ['tools[0]', { tools: [{ type: 'retrieval' }] }],
    ['messages[0].content[0].file.file_id', { messages: [fileMessage()] }],
    ['messages[0].audio', { messages: [{ role: 'assistant', audio: { id: 'a' } }, user()] }],
  ])('%s goes to an account that has it too', (field, body) => {
    expect(decoded(body).extras).toMatchObject([{ field, treatment: 'native' }])
  })

  test.each([
    ['prompt_cache_retention', { prompt_cache_retention: '24h' }, 'silent'],
    ['prompt_cache_options', { prompt_cache_options: { mode: 'implicit' } }, 'silent'],
    ['moderation', { moderation: { model: 'm' } }, 'warn'],
    ['repetition_penalty', { repetition_penalty: 1.1 }, 'warn'],
    ['messages[0].name', { messages: [{ ...user(), name: 'Ann' }] }, 'warn'],
  ])('%s is dropped', (field, body, treatment) => {
    expect(decoded(body).extras).toMatchObject([{ field, treatment }])
  })

  test('a picture above 8 MB is dropped, and one below is not', () => {
    const image = (size: number) => ({
      type: 'image_url',
      image_url: { url: `data:image/png;base64,${Buffer.alloc(size).toString('base64')}` },
    })
    const limit = 8 * 1024 * 1024
    const content = [image(limit), image(limit + 1)]
    const { turns, extras } = decoded({ messages: [{ role: 'user', content }] })

    expect(turns[0]?.role === 'user' && turns[0].content).toHaveLength(1)
    expect(extras).toMatchObject([{ field: 'messages[0].content[1]', treatment: 'warn' }])
  })
})

function user() {
  return { role: 'user', content: 'Hello' }
}

function fileMessage() {
  return { role: 'user', content: [{ type: 'file', file: { file_id: 'file-1' } }] }
}
