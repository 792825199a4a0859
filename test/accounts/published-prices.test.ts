import { calcPrice } from '@pydantic/genai-prices'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { compilePrices, createPriceOf } from '../../src/accounts/prices.ts'
import table from '../../src/accounts/prices.generated.json' with { type: 'json' }
import type { Usage } from '../../src/contract/outcome.ts'
import type { Price, PriceSettings } from '../../src/contract/prices.ts'
import { costOf } from '../../src/kit/cost.ts'

const providers: Readonly<Record<string, PriceSettings>> = table.providers
const models = Object.entries(providers).flatMap(([provider, prices]) =>
  Object.keys(prices).map((model) => ({ provider, model })),
)
const priceOf = createPriceOf(undefined, [])
const published = (provider: string, model: string) =>
  priceOf({ id: 'a', provider }, model) as Price | undefined

/** The names of providers in the source. */
const sources: Readonly<Record<string, string>> = { gemini: 'google', bedrock: 'aws' }

/** What the source says of a model; its ids of Bedrock have a geography or a version. */
function calculated(usage: Parameters<typeof calcPrice>[0], provider: string, model: string) {
  const ends = ['', '-v1:0', '-v0:1', '-v2:0']
  const names =
    provider === 'bedrock' ? ends.flatMap((end) => [model + end, `us.${model}${end}`]) : [model]
  const options = { providerId: sources[provider] ?? provider, timestamp: then }
  return names.map((name) => calcPrice(usage, name, options)).find((found) => found !== null)
}

/** Noon of the day on which the table was made. */
const then = new Date(`${table.version}T12:00:00Z`)

test('costs of a thousand usages are those of the published table, within a nano-dollar', () => {
  const tokens = fc.nat({ max: 300_000 })
  const usages = fc.record({
    plain: tokens,
    cacheRead: tokens,
    cacheWrite: tokens,
    cacheWrite1h: tokens,
    output: tokens,
  })
  let known = 0
  fc.assert(
    fc.property(fc.constantFrom(...models), usages, ({ provider, model }, parts) => {
      const { plain, cacheRead, cacheWrite, cacheWrite1h, output } = parts
      const usage: Usage = {
        inputTokens: plain + cacheRead + cacheWrite + cacheWrite1h,
        outputTokens: output,
        cachedTokens: cacheRead,
        cacheWriteTokens: cacheWrite + cacheWrite1h,
        cacheWrite1hTokens: cacheWrite1h,
      }
      const price = published(provider, model)!
      const parted = costOf(usage, price, then.getTime())
      // A class without a rate leaves the cost unknown here, and costs as much as another class there.
      const whole = { inputTokens: usage.inputTokens!, outputTokens: output }
      const cost = typeof parted === 'number' ? parted : costOf(whole, price, then.getTime())
      if (typeof cost === 'string') {
        expect(cost).toBe('no_rate')
        return
      }
      known++
      const expected = calculated(
        {
          input_tokens: usage.inputTokens,
          output_tokens: output,
          ...(typeof parted === 'number' && {
            cache_read_tokens: cacheRead,
            cache_write_tokens: cacheWrite + cacheWrite1h,
            cache_write_1h_tokens: cacheWrite1h,
          }),
        },
        provider,
        model,
      )
      expect(Math.abs(cost - expected!.total_price * 1e9)).toBeLessThanOrEqual(1)
    }),
    { numRuns: 1_000 },
  )
  expect(known).toBeGreaterThan(800)
})

describe('the published price', () => {
  const usage: Usage = { inputTokens: 1_000_000, outputTokens: 1_000_000 }
  const short: Usage = { inputTokens: 100_000, outputTokens: 100_000 }

  test.each([
    { what: 'a model', model: 'gpt-4.1', usage, cost: 10_000_000_000 },
    { what: 'a model with a date', model: 'gpt-4.1-2025-04-14', usage, cost: 10_000_000_000 },
    {
      what: 'the tier that served',
      model: 'gpt-4.1',
      usage: { ...usage, tier: 'priority' },
      cost: 17_500_000_000,
    },
    {
      what: 'a prompt of less than 272,000 tokens',
      model: 'gpt-5.6-terra',
      usage: short,
      cost: 1_400_000_000,
    },
    { what: 'characters', model: 'tts-1', usage: { characters: 5 }, cost: 75_000 },
    { what: 'seconds of audio', model: 'whisper-1', usage: { audioSeconds: 9 }, cost: 900_000 },
    {
      what: 'moderations, which are free',
      model: 'omni-moderation-latest',
      usage: { inputTokens: 10, outputTokens: 0 },
      cost: 0,
    },
    {
      what: 'a longer prompt in a cheaper tier',
      model: 'gpt-5.6-terra',
      usage: { ...usage, tier: 'flex' },
      cost: 11_000_000_000,
    },
  ])('of OpenAI covers $what', ({ model, usage: used, cost }) => {
    expect(costOf(used, published('openai', model)!, then.getTime())).toBe(cost)
  })

  test('of Google has tiers with a factor for each class', () => {
    const used = { ...short, cachedTokens: 50_000, tier: 'flex' }
    const price = published('gemini', 'gemini-2.5-pro')!
    expect(costOf(used, price, then.getTime())).toBe(50_000 * 625 + 50_000 * 125 + 100_000 * 5_000)
  })

  test('of Google has pictures of a prompt at the rate of text', () => {
    const used = { ...short, imageInputTokens: 60_000 }
    const price = published('gemini', 'gemini-2.5-flash')!
    expect(costOf(used, price, then.getTime())).toBe(costOf(short, price, then.getTime()))
  })

  test.each([
    ['azure', 'gpt-4.1', 'openai', 'gpt-4.1'],
    ['azure', 'gpt-4o-2024-11-20', 'openai', 'gpt-4o-2024-11-20'],
    ['azure', 'claude-opus-4-5', 'anthropic', 'claude-opus-4-5'],
    ['vertex', 'gemini-2.5-pro', 'gemini', 'gemini-2.5-pro'],
    ['vertex', 'google/gemini-2.5-pro', 'gemini', 'gemini-2.5-pro'],
    ['vertex', 'claude-sonnet-4-5@20250929', 'gemini', 'claude-sonnet-4-5'],
    ['vertex', 'veo-3.0-generate-001', 'gemini', 'veo-3.0-generate-001'],
  ])('of %s for %s is the one of its vendor', (provider, model, vendor, name) => {
    expect(published(provider, model)).toBeDefined()
    expect(published(provider, model)).toEqual(published(vendor, name))
  })

  test.each([
    ['amazon.nova-pro-v1:0', 800_000_000],
    ['eu.amazon.nova-pro-v1:0', 800_000_000],
    ['anthropic.claude-sonnet-4-5-20250929-v1:0', 3_300_000_000],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 3_300_000_000],
    ['global.anthropic.claude-sonnet-4-5-20250929-v1:0', 3_000_000_000],
    ['arn:aws:bedrock:eu-west-1:1:inference-profile/eu.anthropic.claude-opus-5', 5_500_000_000],
    ['arn:aws:bedrock:us-east-1::foundation-model/amazon.nova-micro-v1:0', 35_000_000],
    ['openai.gpt-oss-120b-1:0', 150_000_000],
  ])('of Bedrock knows geographies, versions and ARNs: %s', (model, cost) => {
    const used: Usage = { inputTokens: 1_000_000, outputTokens: 0 }
    expect(costOf(used, published('bedrock', model)!, then.getTime())).toBe(cost)
  })

  test.each([
    ['azure', 'my-deployment'],
    ['vertex', '1234567890'],
    ['vertex', 'meta/llama-4-maverick-17b-128e-instruct-maas'],
    ['bedrock', 'arn:aws:bedrock:eu-central-1:1:application-inference-profile/x1y2z3'],
    ['bedrock', 'claude-opus-5'],
    ['bedrock', 'xx.anthropic.claude-opus-5'],
  ])('of %s is unknown for %s', (provider, model) => {
    expect(published(provider, model)).toBeUndefined()
  })

  test.each(['gpt-4.1-turbo', 'gpt-4', 'toString'])(
    'is not applied to a longer name, or to another provider: %s',
    (name) => {
      expect(published('openai-compatible', name)).toBeUndefined()
      expect(published('openai', `${name}-of-mine`)).toBeUndefined()
    },
  )

  test('gives way to a configured price of the model', () => {
    const own = createPriceOf({ 'gpt-4.1': { rates: { input: '1', output: '1' } } }, [])
    const price = own({ id: 'a', provider: 'openai' }, 'gpt-4.1') as Price
    expect(costOf(usage, price)).toBe(2_000_000_000)
  })
})

test('a change that is known in advance applies from its first day in UTC', () => {
  const price = compilePrices({
    m: {
      rates: { input: '1', output: '1' },
      later: [
        { from: '2027-01-01', rates: { input: '2', output: '2' } },
        { from: '2027-02-01', rates: { input: '3', output: '3' } },
      ],
    },
  }).get('m')!
  const usage: Usage = { inputTokens: 1_000_000, outputTokens: 0 }
  const costAt = (time: string) => costOf(usage, price, Date.parse(time))
  expect(costAt('2026-12-31T23:59:59Z')).toBe(1_000_000_000)
  expect(costAt('2027-01-01T00:00:00Z')).toBe(2_000_000_000)
  expect(costAt('2027-03-01T00:00:00Z')).toBe(3_000_000_000)
})
