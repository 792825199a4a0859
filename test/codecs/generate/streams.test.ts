import { expect, test } from 'vitest'

import { chunk } from './chunks.ts'
import { collect, readEvents } from './codec.ts'

const usageMetadata = { promptTokenCount: 3, candidatesTokenCount: 2 }

test('an account that streams has its chunks read as they come', () => {
  expect(
    readEvents([
      chunk([{ text: 'Hm', thought: true }]),
      chunk([{ text: 'Hel' }]),
      chunk([{ text: 'lo' }], { finishReason: 'STOP' }),
      { usageMetadata },
    ]),
  ).toEqual([
    { type: 'start', id: 'r1', model: 'gemini-3-flash' },
    { type: 'part', index: 0, choice: 0, part: { type: 'reasoning', form: 'summary' } },
    { type: 'delta', index: 0, text: 'Hm' },
    { type: 'end', index: 0 },
    { type: 'part', index: 1, choice: 0, part: { type: 'text' } },
    { type: 'delta', index: 1, text: 'Hel' },
    { type: 'delta', index: 1, text: 'lo' },
    { type: 'end', index: 1 },
    { type: 'stop', choice: 0, stop: { reason: 'stop', raw: 'STOP' } },
    { type: 'finish', usage: { inputTokens: 3, outputTokens: 2 } },
  ])
})

test('an account that tells a reason with each chunk, as old ones do, is read to its end', () => {
  const chunks = ['Hel', 'lo'].map((text) => chunk([{ text }], { finishReason: 'STOP' }))
  expect(collect(readEvents(chunks))?.choices).toEqual([
    { content: [{ type: 'text', text: 'Hello' }], stop: { reason: 'stop', raw: 'STOP' } },
  ])
})

test('keep-alives, empty texts, nulls and unknown parts add nothing', () => {
  const events = readEvents([
    {},
    { candidates: null, promptFeedback: null, error: null, usageMetadata: null },
    chunk([{ text: '' }, { executableCode: { code: '1' } }, { brandNew: 1 }]),
    { candidates: [{ index: 0, content: { role: 'model' } }, null] },
    { candidates: [{ index: 0, content: null, finishReason: null }] },
    chunk([{ text: 'Hi' }]),
    { candidates: [{ index: 0, finishReason: 'STOP' }] },
  ])
  expect(events.map(({ type }) => type)).toEqual([
    'start',
    'part',
    'delta',
    'end',
    'stop',
    'finish',
  ])
  expect(events.at(-1)).toEqual({ type: 'finish', usage: {} })
})

test('usage that is told in pieces, or counts up, is what was told last of each', () => {
  const events = readEvents([
    { ...chunk([{ text: 'a' }]), usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 1 } },
    {
      ...chunk([{ text: 'b' }], { finishReason: 'STOP' }),
      usageMetadata: { candidatesTokenCount: 2 },
    },
  ])
  expect(events.at(-1)).toEqual({ type: 'finish', usage: { inputTokens: 9, outputTokens: 2 } })
})

test.each([
  ['nothing', []],
  ['keep-alives only', [{}, {}]],
  ['a text without a reason', [chunk([{ text: 'Hel' }])]],
  ['one candidate of two', [{ candidates: [{ finishReason: 'STOP', index: 0 }, { index: 1 }] }]],
  ['usage only', [{ usageMetadata }]],
])('a stream that ends after %s is not complete', (_, chunks) => {
  const events = readEvents(chunks, { candidates: 2 })
  expect(events.some(({ type }) => type === 'finish' || type === 'error')).toBe(false)
})

test('an error in band ends the stream, and nothing comes after it', () => {
  const events = readEvents([
    chunk([{ text: 'Hel' }]),
    { error: { code: 503, message: 'Overloaded.', status: 'UNAVAILABLE' } },
    chunk([{ text: 'lo' }], { finishReason: 'STOP' }),
  ])
  expect(events.at(-1)).toEqual({ type: 'error', message: 'Overloaded.', status: 503 })
  expect(events).toHaveLength(4)
})

test('a prompt that is blocked in a stream is a refusal', () => {
  const events = readEvents([{ promptFeedback: { blockReason: 'SAFETY' }, responseId: 'r9' }])
  expect(collect(events)).toMatchObject({
    id: 'r9',
    choices: [{ content: [{ type: 'refusal' }], stop: { reason: 'filtered', raw: 'SAFETY' } }],
  })
})

test('candidates that interleave are kept apart', () => {
  const piece = (index: number, text: string, more = {}) => ({
    candidates: [{ index, content: { parts: [{ text }] }, ...more }],
  })
  const events = readEvents(
    [
      piece(0, 'a'),
      piece(1, 'x'),
      piece(0, 'b', { finishReason: 'STOP' }),
      piece(1, 'y', { finishReason: 'MAX_TOKENS' }),
    ],
    { candidates: 2 },
  )
  expect(collect(events)?.choices).toEqual([
    { content: [{ type: 'text', text: 'ab' }], stop: { reason: 'stop', raw: 'STOP' } },
    { content: [{ type: 'text', text: 'xy' }], stop: { reason: 'length', raw: 'MAX_TOKENS' } },
  ])
})
