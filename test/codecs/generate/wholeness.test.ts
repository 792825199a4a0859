import { expect, test } from 'vitest'

import { generateCodec } from '../../../plugins/dialects/generate/codec/index.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { chunk } from './chunks.ts'
import { neutral } from './codec.ts'

const ended = { finishReason: 'STOP' }
const thought = { text: 'Hm', thought: true }
const call = { functionCall: { name: 'look', args: {} } }

/** What is thought of the stream after each of these chunks. */
function wholenessAfter(chunks: readonly JsonObject[], candidates = 1) {
  const decoder = generateCodec.decodeEvents(neutral({ candidates }), () => {})
  return chunks.map((one) => {
    decoder.decode(one, '')
    return decoder.completeness
  })
}

test('a stream whose last chunk alone tells a reason is whole with it', () => {
  expect(wholenessAfter([chunk([{ text: 'Hel' }]), chunk([{ text: 'lo' }], ended)])).toEqual([
    undefined,
    'certain',
  ])
  expect(wholenessAfter([chunk([thought]), chunk([{ text: 'Hello' }], ended)]).at(-1)).toBe(
    'certain',
  )
  expect(wholenessAfter([chunk([call]), chunk([], ended), { usageMetadata: {} }])).toEqual([
    undefined,
    'certain',
    'certain',
  ])
})

test('a chunk with a reason at once may be the first of an account that tells one with each', () => {
  const chunks = ['Hel', 'lo'].map((text) => chunk([{ text }], ended))
  expect(wholenessAfter(chunks)).toEqual(['likely', 'likely'])
})

test('a stream that has candidates to come is not whole', () => {
  const piece = (index: number, more = {}) => ({
    candidates: [{ index, content: { parts: [{ text: 'a' }] }, ...more }],
  })
  expect(wholenessAfter([piece(0), piece(0, ended), piece(1), piece(1, ended)], 2)).toEqual([
    undefined,
    undefined,
    undefined,
    'certain',
  ])
})

test('nothing comes after a prompt that was blocked', () => {
  expect(wholenessAfter([{ promptFeedback: { blockReason: 'SAFETY' } }])).toEqual(['certain'])
})
