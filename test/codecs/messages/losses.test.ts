import { describe, expect, it } from 'vitest'

import { messagesCodec } from '../../../plugins/dialects/messages/codec/index.ts'
import type { Feature, Treatment } from '../../../src/generate/unsupported.ts'
import { findLosses } from '../../../src/translate/losses.ts'
import { neutral } from './codec.ts'

const losses: [Feature, Treatment][] = [
  ['audio_input', 'native'],
  ['audio_url', 'native'],
  ['cache_key', 'silent'],
  ['candidates', 'native'],
  ['custom_tools', 'native'],
  ['frequency_penalty', 'warn'],
  ['image_detail', 'warn'],
  ['json_object', 'warn'],
  ['logprobs', 'native'],
  ['metadata', 'silent'],
  ['presence_penalty', 'warn'],
  ['reasoning_history', 'silent'],
  ['reasoning_summary', 'silent'],
  ['seed', 'warn'],
  ['store', 'warn'],
  ['system_midway', 'warn'],
  ['temperature_above_1', 'warn'],
  ['verbosity', 'warn'],
]

const kept: Feature[] = [
  'assistant_prefill',
  'document_context',
  'end_user',
  'file_input',
  'file_url',
  'image_input',
  'image_url',
  'parallel_tool_calls',
  'reasoning_budget',
  'reasoning_effort',
  'service_tier',
  'stop',
  'strict_tools',
  'tool_result_failed',
  'tool_result_media',
  'tool_subset',
  'top_k',
]

describe('an account of messages', () => {
  it.each(losses)('has no %s: %s', (feature, treatment) => {
    const request = neutral({ fields: { [feature]: 'the_field' } })
    expect(findLosses(request, messagesCodec)).toMatchObject([
      { field: 'the_field', treatment, reason: expect.any(String) },
    ])
  })

  it('has everything else', () => {
    const fields = Object.fromEntries(kept.map((feature) => [feature, feature]))
    expect(findLosses(neutral({ fields }), messagesCodec)).toEqual([])
  })
})
