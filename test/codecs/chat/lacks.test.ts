import { describe, expect, test } from 'vitest'

import { chatCodec } from '../../../plugins/dialects/chat/codec/index.ts'
import type { Feature } from '../../../src/generate/unsupported.ts'
import { findLosses } from '../../../src/translate/losses.ts'
import { decoded, neutral } from './asking.ts'

const { lacks = {} } = chatCodec

describe('what an account of chat completions cannot be asked for', () => {
  test('is one table', () => {
    const treatments = Object.entries(lacks).map(([feature, { treatment }]) => [feature, treatment])

    expect(Object.fromEntries(treatments)).toEqual({
      assistant_prefill: 'native',
      audio_url: 'native',
      file_url: 'native',
      metadata: 'silent',
      reasoning_budget: 'warn',
      reasoning_history: 'silent',
      reasoning_summary: 'warn',
      tool_output_schema: 'warn',
      tool_result_failed: 'warn',
      tool_result_media: 'warn',
      tool_result_stray: 'warn',
      top_k: 'warn',
    } satisfies Partial<Record<Feature, string>>)
  })

  test('is told by the name that the client gives it', () => {
    const request = neutral({
      fields: { top_k: 'generationConfig.topK', seed: 'generationConfig.seed' },
    })

    expect(findLosses(request, chatCodec)).toMatchObject([
      { field: 'generationConfig.topK', treatment: 'warn' },
    ])
  })

  test('is nothing that its own clients commonly use', () => {
    const body = {
      messages: [{ role: 'user', content: 'Hi' }],
      temperature: 2,
      seed: 1,
      stop: ['END'],
      n: 2,
      logprobs: true,
      response_format: { type: 'json_object' },
      reasoning_effort: 'high',
      tools: [{ type: 'custom', custom: { name: 'run' } }],
    }

    expect(findLosses(decoded(body), chatCodec)).toEqual([])
  })
})
