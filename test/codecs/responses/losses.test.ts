import { expect, test } from 'vitest'

import type { Feature, Treatment } from '../../../src/generate/unsupported.ts'
import { findLosses } from '../../../src/translate/losses.ts'
import { responsesCodec } from '../../../plugins/dialects/responses/codec/index.ts'
import { request } from './codec.ts'

const { lacks = {} } = responsesCodec

/** What the mapping tables say of what clients of other dialects can ask for. */
const table: [Feature, Treatment][] = [
  ['assistant_prefill', 'native'],
  ['audio_input', 'native'],
  ['audio_url', 'native'],
  ['candidates', 'native'],
  ['reasoning_budget', 'warn'],
  ['reasoning_history', 'silent'],
  ['seed', 'warn'],
  ['stop', 'warn'],
  ['tool_result_failed', 'warn'],
  ['tool_result_stray', 'warn'],
  ['top_k', 'warn'],
]

test('accounts of this dialect lack what the tables say, and nothing else', () => {
  const treatments = Object.entries(lacks).map(([feature, { treatment }]) => [feature, treatment])
  expect(treatments).toEqual(table)
})

test('a client that uses what is lacking is told by its own name for it', () => {
  const fields = { stop: 'stop_sequences', top_k: 'generationConfig.topK', verbosity: 'verbosity' }
  expect(findLosses(request({ fields }), responsesCodec)).toMatchObject([
    { field: 'stop_sequences', treatment: 'warn' },
    { field: 'generationConfig.topK', treatment: 'warn' },
  ])
})
