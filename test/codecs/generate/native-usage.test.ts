import { expect, test } from 'vitest'

import { readUsage } from '../../../plugins/dialects/generate/outcome.ts'
import { nativeReplies, streamedUsage } from '../native-usage.ts'
import { read } from './codec.ts'

const told = {
  promptTokenCount: 10,
  toolUsePromptTokenCount: 5,
  candidatesTokenCount: 7,
  thoughtsTokenCount: 3,
  cachedContentTokenCount: 4,
}

test('the prompts of tools that a provider runs count, whether the call is translated or not', () => {
  const usage = { inputTokens: 15, outputTokens: 10, cachedTokens: 4, reasoningTokens: 3 }
  const candidates = [{ content: { parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }]

  expect(readUsage({ usageMetadata: told })).toEqual(usage)
  expect(read({ candidates, usageMetadata: told })).toMatchObject({ usage })
})

test('what was not told stays unknown', () => {
  expect(readUsage({ usageMetadata: { toolUsePromptTokenCount: 5 } })).toEqual({ inputTokens: 5 })
  expect(readUsage({ usageMetadata: { thoughtsTokenCount: 3 } })).toEqual({
    outputTokens: 3,
    reasoningTokens: 3,
  })
  expect(readUsage({ usageMetadata: {} })).toEqual({})
})

const candidates = [{ content: { parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }]

test.each([
  [
    { promptTokenCount: 5, totalTokenCount: 12 },
    { inputTokens: 5, outputTokens: 7 },
  ],
  [
    { promptTokenCount: 5, toolUsePromptTokenCount: 2, totalTokenCount: 12 },
    { inputTokens: 7, outputTokens: 5 },
  ],
  [
    { promptTokenCount: 5, thoughtsTokenCount: 3, totalTokenCount: 12 },
    { inputTokens: 5, outputTokens: 7, reasoningTokens: 3 },
  ],
  [
    { promptTokenCount: 5, candidatesTokenCount: 7, totalTokenCount: 6 },
    { inputTokens: 5, outputTokens: 7 },
  ],
  [{ promptTokenCount: 5, totalTokenCount: 4 }, { inputTokens: 5 }],
  [{ promptTokenCount: 5 }, { inputTokens: 5 }],
  [{ totalTokenCount: 12 }, {}],
])('what is told as %j is known as %j', (usageMetadata, usage) => {
  expect(readUsage({ usageMetadata })).toEqual(usage)
  expect(read({ candidates, usageMetadata })).toHaveProperty('usage', usage)
})

test('what one chunk told is known when a later one tells something else', () => {
  const piece = [{ content: { parts: [{ text: 'Hi' }] } }]
  const events = [
    { candidates: piece, usageMetadata: { promptTokenCount: 5, cachedContentTokenCount: 4 } },
    { candidates, usageMetadata: { candidatesTokenCount: 2 } },
    { usageMetadata: { thoughtsTokenCount: 3, totalTokenCount: 12 } },
  ]

  expect(streamedUsage(nativeReplies.generate.observer(), events)).toEqual({
    inputTokens: 5,
    outputTokens: 7,
    cachedTokens: 4,
    reasoningTokens: 3,
  })
})

test('the usage of a stream that tells none is unknown', () => {
  expect(streamedUsage(nativeReplies.generate.observer(), [{ candidates }])).toBeUndefined()
})
