import { expect, test } from 'vitest'

import { readUsage } from '../../../plugins/dialects/generate-content/outcome.ts'
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

  expect(readUsage(told)).toEqual(usage)
  expect(read({ candidates, usageMetadata: told })).toMatchObject({ usage })
})

test('what was not told stays unknown', () => {
  expect(readUsage({ toolUsePromptTokenCount: 5 })).toEqual({ inputTokens: 5 })
  expect(readUsage({ thoughtsTokenCount: 3 })).toEqual({ outputTokens: 3, reasoningTokens: 3 })
  expect(readUsage({})).toEqual({})
})
