import { expect, test } from 'vitest'

import { type Feature, type Treatment, lackOf } from '../../src/generate/unsupported.ts'
import { featureRequests } from '../../src/testing/contracts/codec-requests.ts'
import { codecs, type Name, names } from './samples/index.ts'

/** What accounts of each dialect cannot be asked for. The tables of `fields` hold what becomes of each field. */
const lacks: Readonly<Record<Name, Readonly<Record<Treatment, string>>>> = {
  chat: {
    native: 'assistant_prefill audio_url file_url',
    warn: 'reasoning_budget reasoning_summary tool_output_schema tool_result_failed tool_result_media tool_result_stray top_k',
    silent: 'cache_points metadata reasoning_history',
  },
  generate: {
    native: 'assistant_prefill audio_url custom_tools file_url image_url',
    warn: 'image_detail parallel_tool_calls strict_tools system_midway tool_result_stray verbosity',
    silent: 'cache_key cache_points end_user metadata reasoning_history reasoning_summary',
  },
  messages: {
    native: 'audio_input audio_url candidates custom_tools logprobs',
    warn: 'empty_message frequency_penalty image_detail json_object presence_penalty seed store system_midway temperature_above_1 tool_output_schema tool_result_stray verbosity',
    silent: 'cache_key metadata reasoning_history reasoning_summary',
  },
  responses: {
    native: 'assistant_prefill audio_input audio_url candidates',
    warn: 'reasoning_budget seed stop tool_result_failed tool_result_stray top_k',
    silent: 'cache_points reasoning_history',
  },
}

/** The contract has a request for each feature of the type, which the compiler checks. */
const features = (Object.keys(featureRequests) as Feature[]).toSorted()

test.each(names)('accounts of %s lack what the table says, and nothing else', (name) => {
  const treated = (treatment: Treatment) =>
    features.filter((feature) => lackOf(codecs[name], feature)?.treatment === treatment).join(' ')
  const found = { native: treated('native'), warn: treated('warn'), silent: treated('silent') }
  expect(found).toEqual(lacks[name])
})
