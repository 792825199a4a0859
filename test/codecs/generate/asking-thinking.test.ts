import { expect, test } from 'vitest'

import type { Reasoning } from '../../../src/generate/request.ts'
import { encode } from './codec.ts'

function thinkingOf(reasoning: Reasoning, model: string): unknown {
  const config = encode({ reasoning }, model).generationConfig as
    | { thinkingConfig?: unknown }
    | undefined
  return config?.thinkingConfig
}

test.each<[string, Reasoning, unknown]>([
  ['gemini-3-flash', { effort: 'none' }, { thinkingLevel: 'MINIMAL' }],
  ['gemini-3-flash', { effort: 'low' }, { thinkingLevel: 'LOW', includeThoughts: true }],
  ['gemini-3-flash', { effort: 'medium', show: false }, { thinkingLevel: 'MEDIUM' }],
  ['gemini-3-pro-preview', { effort: 'minimal', show: false }, { thinkingLevel: 'LOW' }],
  ['gemini-3.1-flash', { effort: 'max', show: false }, { thinkingLevel: 'HIGH' }],
  [
    'some/unknown-model',
    { effort: 'high', show: true },
    { thinkingLevel: 'HIGH', includeThoughts: true },
  ],
  ['gemini-3-flash', { budget: 0 }, { thinkingLevel: 'MINIMAL' }],
  ['gemini-3-flash', { budget: 900, effort: 'low', show: false }, { thinkingBudget: 900 }],
  ['gemini-2.5-flash', { effort: 'none' }, { thinkingBudget: 0 }],
  ['gemini-2.5-pro', { effort: 'none' }, { thinkingBudget: 128 }],
  ['gemini-2.5-flash', { effort: 'low', show: false }, { thinkingBudget: 1024 }],
  ['gemini-2.5-flash', { budget: 99_999, show: false }, { thinkingBudget: 24_576 }],
  ['gemini-2.5-pro', { effort: 'max', show: false }, { thinkingBudget: 32_768 }],
  ['gemini-2.5-flash', { summary: 'auto' }, { includeThoughts: true }],
  ['gemini-2.0-flash', { effort: 'high', show: true }, undefined],
  ['gemini-3-flash', { show: false }, undefined],
])('%s is asked to think %j with %j', (model, reasoning, config) => {
  expect(thinkingOf(reasoning, model)).toEqual(config)
})
