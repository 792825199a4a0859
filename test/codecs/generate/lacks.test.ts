import { expect, test } from 'vitest'

import { generateCodec } from '../../../plugins/dialects/generate/codec/index.ts'
import { type Feature, lackOf } from '../../../src/generate/unsupported.ts'
import { findLosses } from '../../../src/translate/losses.ts'
import { encode, neutral } from './codec.ts'

test('what no account can be asked for leaves nothing in the request', () => {
  const plain = encode({})
  expect(
    encode({
      cacheKey: 'secret',
      endUser: 'secret',
      metadata: { a: 'secret' },
      parallelToolCalls: false,
      tools: [{ kind: 'custom', name: 'secret' }],
      verbosity: 'low',
    }),
  ).toEqual(plain)
})

test('the losses of a request are told in the words of its client', () => {
  const fields = {
    top_k: 'top_k',
    verbosity: 'text.verbosity',
    image_url: 'input[0].content[0].image_url',
    custom_tools: 'tools[1]',
    cache_key: 'prompt_cache_key',
  }
  const losses = findLosses(neutral({ fields }), generateCodec)
  expect(losses.map(({ field, treatment }) => [field, treatment])).toEqual([
    ['prompt_cache_key', 'silent'],
    ['tools[1]', 'native'],
    ['input[0].content[0].image_url', 'native'],
    ['text.verbosity', 'warn'],
  ])
})

test('features that every account has are no losses', () => {
  const has: Feature[] = [
    'audio_input',
    'candidates',
    'document_context',
    'file_input',
    'frequency_penalty',
    'image_input',
    'json_object',
    'json_schema',
    'logprobs',
    'presence_penalty',
    'reasoning_budget',
    'reasoning_effort',
    'seed',
    'service_tier',
    'stop',
    'store',
    'temperature_above_1',
    'tool_output_schema',
    'tool_result_failed',
    'tool_result_media',
    'tool_subset',
    'top_k',
  ]
  expect(has.filter((feature) => lackOf(generateCodec, feature))).toEqual([])
})
