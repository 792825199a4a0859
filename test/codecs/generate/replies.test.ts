import { expect, test } from 'vitest'

import { chunk, reply } from './chunks.ts'
import { read } from './codec.ts'

const call = { functionCall: { name: 'weather', args: { city: 'Oslo' } } }

test('an account that answers in full has everything of its reply read', () => {
  const result = read({
    candidates: [
      {
        content: {
          role: 'model',
          parts: [
            { text: 'Let me see.', thought: true },
            { text: 'Checking' },
            { text: ' now.' },
            { functionCall: { name: 'weather', args: { city: 'Oslo' }, id: 'c1' } },
            { inlineData: { mimeType: 'image/png', data: 'iVBORw==' } },
          ],
        },
        finishReason: 'STOP',
        index: 0,
        safetyRatings: [],
      },
    ],
    usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 7, serviceTier: 'flex' },
    modelVersion: 'gemini-3-flash-001',
    responseId: 'r1',
  })
  expect(result).toEqual({
    id: 'r1',
    model: 'gemini-3-flash-001',
    serviceTier: 'flex',
    choices: [
      {
        content: [
          { type: 'reasoning', form: 'summary', text: 'Let me see.' },
          { type: 'text', text: 'Checking now.' },
          {
            type: 'tool_call',
            id: 'c1',
            name: 'weather',
            kind: 'function',
            arguments: '{"city":"Oslo"}',
          },
          {
            type: 'image',
            mediaType: 'image/png',
            source: { kind: 'data', base64: 'iVBORw==' },
          },
        ],
        stop: { reason: 'tool_calls', raw: 'STOP' },
      },
    ],
    usage: { inputTokens: 5, outputTokens: 7, tier: 'flex' },
  })
})

test.each([
  [
    { promptTokenCount: 9, candidatesTokenCount: 4, thoughtsTokenCount: 6 },
    { inputTokens: 9, outputTokens: 10, reasoningTokens: 6 },
  ],
  [
    { promptTokenCount: 9, cachedContentTokenCount: 5, candidatesTokenCount: 0 },
    { inputTokens: 9, cachedTokens: 5, outputTokens: 0 },
  ],
  [{ promptTokenCount: 9, toolUsePromptTokenCount: 3 }, { inputTokens: 12 }],
  [
    { thoughtsTokenCount: 2, promptTokenCount: null },
    { outputTokens: 2, reasoningTokens: 2 },
  ],
  [null, {}],
])('usage of %j means %j', (usageMetadata, usage) => {
  expect(read({ ...reply([{ text: 'Hi' }]), usageMetadata })).toMatchObject({ usage })
  const result = read({ ...reply([{ text: 'Hi' }]), usageMetadata })
  expect('usage' in result && result.usage).toEqual(usage)
})

test.each([
  [
    { error: { code: 429, message: 'Slow down.', status: 'RESOURCE_EXHAUSTED' } },
    429,
    'Slow down.',
  ],
  [[{ error: { code: 503, message: 'Busy.' } }], 503, 'Busy.'],
  [{ error: 'boom' }, 502, 'boom'],
  [{ error: { code: 200 } }, 502, 'The upstream reported an error.'],
])('an error in a successful reply is an error: %j', (body, status, message) => {
  expect(read(body)).toEqual({ type: 'error', status, message })
})

test.each([
  [{}],
  [{ candidates: [] }],
  [{ candidates: null, usageMetadata: {} }],
  [[]],
  [{ candidates: [{}] }],
])('an account that answers %j has not answered', (body) => {
  expect(() => read(body)).toThrow(expect.objectContaining({ code: 'upstream_invalid_reply' }))
})

test('calls without ids get ids that are stable and differ, also from those of other replies', () => {
  const ids = (body: unknown) => {
    const result = read(body)
    if ('type' in result) throw new Error(result.message)
    return result.choices[0]!.content.map((part) => 'id' in part && part.id)
  }
  const first = ids(reply([call, call]))
  expect(first[0]).toMatch(/^[A-Za-z0-9_-]{1,40}$/)
  expect(new Set(first).size).toBe(2)
  expect(ids(reply([call, call]))).toEqual(first)
  expect(ids({ ...reply([call]), responseId: 'r2' })[0]).not.toBe(first[0])
})

test('several candidates are several answers', () => {
  const candidates = [1, 0].map((index) => ({
    content: { parts: [{ text: `Answer ${index}` }] },
    finishReason: 'STOP',
    index,
  }))
  expect(read({ candidates }, { candidates: 2 })).toMatchObject({
    choices: [{ content: [{ text: 'Answer 0' }] }, { content: [{ text: 'Answer 1' }] }],
  })
})

test('an account that answers with an array of chunks, as it streams without events, is read', () => {
  expect(read([chunk([{ text: 'Hel' }]), reply([{ text: 'lo' }])])).toMatchObject({
    choices: [{ content: [{ type: 'text', text: 'Hello' }] }],
  })
})
