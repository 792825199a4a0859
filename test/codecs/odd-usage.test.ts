import { expect, test } from 'vitest'

import { generateOutcome } from '../../plugins/dialects/generate/outcome.ts'
import { messageOutcome } from '../../plugins/dialects/messages/outcome.ts'
import { responseOutcome } from '../../plugins/dialects/responses/outcome.ts'
import { compilePrices } from '../../src/accounts/prices.ts'
import { costOf } from '../../src/kit/cost.ts'
import { tierWordAt } from '../../src/kit/usage.ts'

const ofMessages = (usage: object) =>
  messageOutcome({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [],
    model: 'm',
    stop_reason: 'end_turn',
    usage: { input_tokens: 23, output_tokens: 10, ...usage },
  }).usage

const ofGenerate = (usage: object) =>
  generateOutcome({
    candidates: [{ content: { parts: [{ text: 'x' }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 300, candidatesTokenCount: 5, ...usage },
  }).usage

test('the cost of a message with a compaction, whose tokens are listed apart, is not known', () => {
  const price = compilePrices({ m: { rates: { input: 1, output: 1 } } }).get('m')!
  const message = { type: 'message', input_tokens: 23, output_tokens: 10 }
  const compaction = { type: 'compaction', input_tokens: 180_000, output_tokens: 3_500 }

  expect(costOf(ofMessages({ iterations: [message] }), price)).toBe(33_000)
  expect(costOf(ofMessages({ iterations: [compaction, message] }), price)).toBe('no_usage')
  expect(costOf(ofMessages({ iterations: null }), price)).toBe(33_000)
})

test('a Responses account may report audio and images', () => {
  const usage = {
    input_tokens: 100,
    input_tokens_details: { audio_tokens: 90, image_tokens: 4, cached_tokens: 0 },
    output_tokens: 10,
    output_tokens_details: { audio_tokens: 7, image_tokens: 1 },
  }
  expect(responseOutcome({ id: 'resp_1', status: 'completed', output: [], usage }).usage).toEqual({
    inputTokens: 100,
    outputTokens: 10,
    cachedTokens: 0,
    audioInputTokens: 90,
    imageInputTokens: 4,
    audioOutputTokens: 7,
    imageOutputTokens: 1,
  })
})

test('Gemini may list a modality in several entries', () => {
  const promptTokensDetails = [
    { modality: 'AUDIO', tokenCount: 50 },
    { modality: 'TEXT', tokenCount: 100 },
    { modality: 'AUDIO', tokenCount: 150 },
  ]
  expect(ofGenerate({ promptTokensDetails })).toMatchObject({ audioInputTokens: 200 })
})

test.each([
  ['standard', 'PROVISIONED_THROUGHPUT', 'provisioned_throughput'],
  ['FLEX', 'ON_DEMAND', 'flex'],
  ['standard', 'ON_DEMAND', undefined],
])('Gemini: the tier %s with the traffic %s is %s', (serviceTier, trafficType, tier) => {
  expect(ofGenerate({ serviceTier, trafficType })?.tier).toBe(tier)
})

test('any region of a message is none, however it is written', () => {
  expect(ofMessages({ inference_geo: 'Global' })?.tier).toBeUndefined()
  expect(ofMessages({ inference_geo: 'EU' })?.tier).toBe('eu')
})

test('a stream keeps no long word of an account', () => {
  expect(tierWordAt({ service_tier: 'x'.repeat(65) }, 'service_tier')).toBe('_other')
  expect(tierWordAt({ service_tier: 'x'.repeat(64) }, 'service_tier')).toHaveLength(64)
})
