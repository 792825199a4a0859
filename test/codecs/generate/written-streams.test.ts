import { expect, test } from 'vitest'

import { skipSignature } from '../../../plugins/dialects/generate/codec/signatures.ts'
import type { GenerateEvent, PartHead } from '../../../src/generate/events.ts'
import { chunksIn, context, neutral, partsIn, write } from './codec.ts'

function begin(index: number, part: PartHead): GenerateEvent {
  return { type: 'part', index, choice: 0, part }
}

function more(index: number, text: string): GenerateEvent {
  return { type: 'delta', index, text }
}

function end(index: number): GenerateEvent {
  return { type: 'end', index }
}

const weather = { type: 'tool_call', name: 'weather', kind: 'function' } as const
const finish: GenerateEvent[] = [
  { type: 'stop', choice: 0, stop: { reason: 'tool_calls', raw: 'tool_use' } },
  {
    type: 'finish',
    usage: { inputTokens: 9, outputTokens: 7, reasoningTokens: 2, cachedTokens: 4 },
  },
]

test('a text comes piece by piece, and the end tells why and what it took', () => {
  const frames = write([
    { type: 'start', id: 'up', model: 'up-model' },
    begin(0, { type: 'text' }),
    more(0, 'Hel'),
    more(0, 'lo'),
    end(0),
    ...finish,
  ])
  const heading = { modelVersion: 'house/large', responseId: '000000000000000000000001' }
  expect(chunksIn(frames)).toEqual([
    {
      candidates: [{ content: { parts: [{ text: 'Hel' }], role: 'model' }, index: 0 }],
      ...heading,
    },
    { candidates: [{ content: { parts: [{ text: 'lo' }], role: 'model' }, index: 0 }], ...heading },
    {
      candidates: [
        { content: { parts: [{ text: '' }], role: 'model' }, finishReason: 'STOP', index: 0 },
      ],
      usageMetadata: {
        promptTokenCount: 9,
        candidatesTokenCount: 5,
        thoughtsTokenCount: 2,
        cachedContentTokenCount: 4,
        totalTokenCount: 16,
      },
      ...heading,
    },
  ])
})

test('parallel calls that come in alternating pieces are each whole, and in their order', () => {
  const frames = write([
    { type: 'start' },
    begin(0, { ...weather, id: 'a' }),
    begin(1, { ...weather, id: 'b' }),
    more(0, '{"city":'),
    more(1, '{"city":'),
    more(1, '"Rome"}'),
    end(1),
    begin(2, { type: 'text' }),
    more(2, 'Done.'),
    end(2),
    more(0, '"Oslo"}'),
    end(0),
    ...finish,
  ])
  expect(partsIn(frames)).toEqual([
    {
      functionCall: { id: 'a', name: 'weather', args: { city: 'Oslo' } },
      thoughtSignature: skipSignature,
    },
    { functionCall: { id: 'b', name: 'weather', args: { city: 'Rome' } } },
    { text: 'Done.' },
    { text: '' },
  ])
})

test('arguments that are no JSON are kept as text and told as a loss', () => {
  const within = context()
  const frames = write(
    [begin(0, { ...weather, id: 'a' }), more(0, '{"city'), end(0), ...finish],
    within,
  )
  expect(partsIn(frames)[0]).toEqual({
    functionCall: { id: 'a', name: 'weather', args: { INVALID_JSON: '{"city' } },
    thoughtSignature: skipSignature,
  })
  expect(within.dropped).toEqual(['functionCall.args'])
})

test('a client that does not want thoughts gets none', () => {
  const request = neutral({ reasoning: { show: false } })
  const thought = { type: 'reasoning', form: 'raw' } as const
  const events = [begin(0, thought), more(0, 'secret'), end(0), ...finish]
  expect(write(events, context({}, { request }))).not.toContain('secret')
  expect(partsIn(write(events))[0]).toEqual({ text: 'secret', thought: true })
})

test('sources of a text come at the end, counted in bytes, under both names', () => {
  const frames = write([
    begin(0, { type: 'text' }),
    more(0, 'Þór ok'),
    {
      type: 'citation',
      index: 0,
      citation: { url: 'https://a.example', title: 'A', start: 4, end: 6 },
    },
    end(0),
    ...finish,
  ])
  const sources = [{ startIndex: 6, endIndex: 8, uri: 'https://a.example', title: 'A' }]
  expect(chunksIn(frames).at(-1)?.candidates[0]).toMatchObject({
    citationMetadata: { citationSources: sources, citations: sources },
  })
})

test('usage that nobody told is left out', () => {
  const frames = write([
    { type: 'stop', choice: 0, stop: { reason: 'stop' } },
    { type: 'finish', usage: {} },
  ])
  expect(chunksIn(frames)).toHaveLength(1)
  expect(frames).not.toContain('usageMetadata')
})

test.each([
  ['stop', undefined, 'STOP'],
  ['stop', 'OTHER', 'OTHER'],
  ['stop', 'end_turn', 'STOP'],
  ['tool_calls', 'STOP', 'STOP'],
  ['length', 'max_tokens', 'MAX_TOKENS'],
  ['context', 'model_context_window_exceeded', 'MAX_TOKENS'],
  ['filtered', 'content_filter', 'SAFETY'],
  ['refused', 'refusal', 'SAFETY'],
  ['paused', 'CONTINUATION', 'STOP'],
] as const)('a reply that stopped with %s (%s) ends with %s', (reason, raw, finishReason) => {
  const stop = { reason, ...(raw !== undefined && { raw }) }
  const frames = write([
    { type: 'stop', choice: 0, stop },
    { type: 'finish', usage: {} },
  ])
  expect(chunksIn(frames)[0]?.candidates[0]?.finishReason).toBe(finishReason)
})
