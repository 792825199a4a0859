import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { compilePrices, createPriceOf } from '../../src/accounts/prices.ts'
import type { AccountSetting } from '../../src/contract/account.ts'
import type { PriceSetting, RatesSetting, TokenClass } from '../../src/contract/prices.ts'
import type { Usage } from '../../src/contract/outcome.ts'
import { costOf } from '../../src/kit/cost.ts'

const priceOf = (setting: PriceSetting) => compilePrices({ m: setting }).get('m')!
const cost = (usage: Usage | undefined, rates: RatesSetting, more: Partial<PriceSetting> = {}) =>
  costOf(usage, priceOf({ rates, ...more }))

const plain: Usage = { inputTokens: 1_000_000, outputTokens: 1_000_000 }

const tokens = fc.nat({ max: 1_000_000 })
const rate = fc.nat({ max: 1_000_000_000 })

/** A usage as replies have it, with the tokens of each class. */
const usages = fc
  .record({
    input: tokens,
    cacheRead: tokens,
    cacheWrite: tokens,
    cacheWrite1h: tokens,
    output: tokens,
    outputAudio: tokens,
    outputImage: tokens,
  })
  .map((classes) => {
    const { input, cacheRead, cacheWrite, cacheWrite1h, output, ...modal } = classes
    const usage: Usage = {
      inputTokens: input + cacheRead + cacheWrite + cacheWrite1h,
      outputTokens: output + modal.outputAudio + modal.outputImage,
      cachedTokens: cacheRead,
      cacheWriteTokens: cacheWrite + cacheWrite1h,
      cacheWrite1hTokens: cacheWrite1h,
      audioOutputTokens: modal.outputAudio,
      imageOutputTokens: modal.outputImage,
    }
    return { classes, usage }
  })

describe('the cost of a call', () => {
  test('does not depend on how its tokens are divided, where all have the same rate', () => {
    fc.assert(
      fc.property(usages, rate, ({ classes, usage }, micro) => {
        const text = decimal(micro)
        const rates = Object.fromEntries(Object.keys(classes).map((name) => [name, text]))
        const whole = { inputTokens: usage.inputTokens!, outputTokens: usage.outputTokens! }
        expect(cost(usage, rates)).toBe(cost(whole, { input: text, output: text }))
      }),
    )
  })

  test('pitfall 13: is the sum of its classes, each once, rounded once', () => {
    const rates = fc.record<Record<TokenClass, number>>({
      input: rate,
      output: rate,
      cacheRead: rate,
      cacheWrite: rate,
      cacheWrite1h: rate,
      inputAudio: rate,
      inputImage: rate,
      outputAudio: rate,
      outputImage: rate,
    })
    fc.assert(
      fc.property(usages, rates, ({ classes, usage }, all) => {
        const expected = (Object.keys(classes) as (keyof typeof classes)[]).reduce(
          (sum, name) => sum + BigInt(classes[name]) * BigInt(all[name]),
          0n,
        )
        const texts = Object.fromEntries(
          Object.entries(all).map(([name, micro]) => [name, decimal(micro)]),
        )
        expect(cost(usage, texts)).toBe(Number((expected + 500n) / 1_000n))
      }),
    )
  })

  test('is exact where floating point is not', () => {
    expect(cost({ inputTokens: 3, outputTokens: 0 }, { input: 0.1 })).toBe(300)
    expect(cost({ inputTokens: 1, outputTokens: 0 }, { input: '0.000499' })).toBe(0)
    expect(cost({ inputTokens: 1, outputTokens: 0 }, { input: '0.0005' })).toBe(1)
  })

  test('of a long prompt has the rates of long prompts, for every class', () => {
    const over = [
      { inputTokens: 100, rates: { input: 2, output: 20, cacheRead: 1 } },
      { inputTokens: 1_000, rates: { input: 3 } },
    ]
    const asked = (inputTokens: number) =>
      cost({ inputTokens, cachedTokens: 40, outputTokens: 1 }, { input: 1, output: 10 }, { over })
    expect(asked(100)).toBe('no_rate')
    expect(asked(101)).toBe((61 * 2 + 40 + 20) * 1_000)
    expect(asked(1_001)).toBe('no_rate')
  })

  test('of a service tier has its factor', () => {
    const rates = { input: 2, output: 10 }
    const tiers = { FLEX: '0.5', 'priority+us': 2.2 }
    const served = (tier: string) => cost({ ...plain, tier }, rates, { tiers })
    expect(served('flex')).toBe(6e9)
    expect(served('priority+us')).toBe(26.4e9)
    expect(served('priority')).toBe('no_tier')
    expect(served('constructor')).toBe('no_tier')
  })

  test.each<[string, Usage | undefined, RatesSetting, string]>([
    ['nothing is reported', undefined, { input: 1, output: 1 }, 'no_usage'],
    ['the reply is not counted', { inputTokens: 1 }, { input: 1, output: 1 }, 'no_usage'],
    ['a class has no rate', { ...plain, cachedTokens: 1 }, { input: 1, output: 1 }, 'no_rate'],
    ['audio has no rate', { ...plain, audioInputTokens: 1 }, { input: 1, output: 1 }, 'no_rate'],
    [
      'audio may have come from the cache',
      { ...plain, audioInputTokens: 5, cachedTokens: 5 },
      { input: 1, output: 1, cacheRead: 1, inputAudio: 8 },
      'no_rate',
    ],
    [
      'more is cached than asked',
      { ...plain, cachedTokens: 1_000_001 },
      { input: 1, output: 1, cacheRead: 1 },
      'invalid_usage',
    ],
    [
      'a number is negative',
      { ...plain, inputTokens: -1 },
      { input: 1, output: 1 },
      'invalid_usage',
    ],
    [
      'more is kept for an hour than written',
      { ...plain, cacheWriteTokens: 1, cacheWrite1hTokens: 2 },
      { input: 1, output: 1, cacheWrite: 1, cacheWrite1h: 1 },
      'invalid_usage',
    ],
    [
      'more is audio or an image than asked',
      { ...plain, audioInputTokens: 600_000, imageInputTokens: 400_001 },
      { input: 1, output: 1, inputAudio: 8, inputImage: 4 },
      'invalid_usage',
    ],
    [
      'more is audio or an image than replied',
      { ...plain, audioOutputTokens: 600_000, imageOutputTokens: 400_001 },
      { input: 1, output: 1, outputAudio: 8, outputImage: 4 },
      'invalid_usage',
    ],
    ['a number has no end', { ...plain, outputTokens: 1e300 }, { output: 1 }, 'invalid_usage'],
    ['a number is a part', { ...plain, outputTokens: 0.5 }, { output: 1 }, 'invalid_usage'],
  ])('pitfall 13: is unknown where %s', (_, usage, rates, status) => {
    expect(cost(usage, rates)).toBe(status)
  })

  test('has each web search at the price of one, in every tier, and is unknown without that', () => {
    const usage = { ...plain, searches: 3, tier: 'flex' }
    const rates = { input: 1, output: 1 }
    const tiers = { flex: '0.5' }
    expect(cost(usage, rates, { tiers, units: { search: '0.01' } })).toBe(1_030_000_000)
    expect(cost(usage, rates, { tiers })).toBe('no_rate')
    expect(cost({ ...usage, searches: 0 }, rates, { tiers })).toBe(1_000_000_000)
    expect(cost({ ...usage, searches: 0.5 }, rates, { tiers })).toBe('invalid_usage')
  })

  test('of images and videos is by the piece and the second, by their kinds', () => {
    const image = { '1024x1024': '0.02', hd: '0.12', 'hd/1024x1024': '0.08' }
    const images = { images: 2, imageSize: '1024x1024', imageQuality: 'standard' }
    const byUnit = { image, second: { '720p': '0.10', '1024x1792': '0.50', '4k': 1 } }
    const priced = (usage: Usage, units: PriceSetting['units'] = byUnit) =>
      costOf(usage, priceOf({ units }))
    expect(priced(images)).toBe(40_000_000)
    expect(priced({ ...images, imageQuality: 'hd' })).toBe(160_000_000)
    expect(priced({ ...images, imageQuality: 'hd', imageSize: '1x1' })).toBe(240_000_000)
    expect(priced({ ...images, imageSize: '1x1' })).toBe('no_rate')
    expect(priced({ images: 3 }, { image: '0.01' })).toBe(30_000_000)
    const second = (videoSize: string) => priced({ videoSeconds: 8, videoSize })
    expect(second('720x1280')).toBe(800_000_000)
    expect(second('1024x1792')).toBe(4_000_000_000)
    expect(second('3840x2160')).toBe(8_000_000_000)
    expect(second('1920x1080')).toBe('no_rate')
    expect(second('')).toBe('no_rate')
    expect(priced({ videoSeconds: 1.5 })).toBe('invalid_usage')
    expect(priced({ inputTokens: 5, outputTokens: 5 })).toBe('no_rate')
    expect(priced({})).toBe('no_usage')
  })

  test('of images with tokens is that of the tokens, and of both where both have a price', () => {
    const rates = { input: 1, output: 1 }
    const usage = { ...plain, images: 2 }
    expect(cost(usage, rates)).toBe(2_000_000_000)
    expect(cost(usage, rates, { units: { image: '0.5' } })).toBe(3_000_000_000)
    expect(cost({ images: 2 }, rates, { units: { image: '0.5' } })).toBe('no_usage')
    expect(cost({ videoSeconds: 2 }, rates)).toBe('no_rate')
    expect(cost({ videoSeconds: 2 }, rates, { units: { second: '0.1' } })).toBe(200_000_000)
  })

  test('needs no rate of a class without tokens, and takes audio as text at the same rate', () => {
    expect(cost({ inputTokens: 2, outputTokens: 0, cachedTokens: 0 }, { input: 1 })).toBe(2_000)
    const rates = { input: 1, output: 1, cacheRead: 0.5, inputImage: '1.0' }
    const usage = { inputTokens: 10, outputTokens: 0, cachedTokens: 4, imageInputTokens: 8 }
    expect(cost(usage, rates)).toBe(8_000)
  })
})

describe('the price of a model', () => {
  const all = { 'gpt-a': { rates: { input: 1 } }, 'gpt-a-2026-01-02': { rates: { input: 2 } } }
  const inputRate = (model: string, prices?: AccountSetting['prices']) => {
    const price = createPriceOf(all, prices ? [{ id: 'a', prices }] : [])(
      { id: 'a', provider: 'none' },
      model,
    )
    return typeof price === 'object' ? price.rates.get('input') : price
  }

  test('is that of its name, or of its name without a date; never of one that begins alike', () => {
    expect(inputRate('gpt-a')).toBe(1_000_000n)
    expect(inputRate('gpt-a-2026-01-02')).toBe(2_000_000n)
    expect(inputRate('gpt-a-2026-03-04')).toBe(1_000_000n)
    expect(inputRate('gpt-a-mini')).toBeUndefined()
    expect(inputRate('gpt-a-mini-2026-01-02')).toBeUndefined()
    expect(inputRate('constructor')).toBeUndefined()
  })

  test.each([
    'gpt-a-2026-01-02',
    'gpt-a-20260102',
    'gpt-a@20260102',
    'gpt-a-0613',
    'gpt-a-1231',
    'gpt-a-001',
  ])('is that of the model of which %s is a version', (model) => {
    const price = createPriceOf({ 'gpt-a': { rates: { input: 1 } } }, [])(
      { id: 'a', provider: 'none' },
      model,
    )
    expect(price).toMatchObject({ rates: new Map([['input', 1_000_000n]]) })
  })

  test.each([
    'gpt-a-405',
    'gpt-a-70',
    'gpt-a-1300',
    'gpt-a-0632',
    'gpt-a-0600',
    'gpt-a-2407',
    'gpt-a-8192',
    'gpt-a-01',
    'gpt-a-12345',
    'gpt-a-123456',
    'gpt-a-20261302',
    'gpt-a-2026-01-32',
    'gpt-a@001',
    'gpt-a0613',
  ])('is not that of %s, whose name merely begins alike', (model) => {
    expect(
      createPriceOf({ 'gpt-a': { rates: { input: 1 } } }, [])({ id: 'a', provider: 'none' }, model),
    ).toBe(undefined)
  })

  test('that was found is that of one name and one account', () => {
    const accounts = [
      { id: 'a', provider: 'openai', prices: { 'own-b': { rates: { input: 3 } } } },
      { id: 'b', provider: 'openai', prices: 'free' as const },
      { id: 'c', provider: 'openai' },
    ]
    const priceOf = createPriceOf({ 'own-a': { rates: { input: 1 } } }, accounts)
    const found = (model: string) =>
      accounts.map((account) => {
        const price = priceOf(account, model)
        return typeof price === 'object' ? price.rates.get('input') : price
      })
    for (let time = 0; time < 2; time++) {
      expect(found('own-a')).toEqual([1_000_000n, 'free', 1_000_000n])
      expect(found('own-b')).toEqual([3_000_000n, 'free', undefined])
    }
  })

  test('of an account goes before the one that all share', () => {
    const own = { 'gpt-a': { rates: { input: 9 } } }
    expect(inputRate('gpt-a', own)).toBe(9_000_000n)
    expect(inputRate('gpt-a-2026-03-04', own)).toBe(9_000_000n)
    expect(inputRate('gpt-a', 'free')).toBe('free')
  })
})

/** Millionths as a decimal text. */
function decimal(micro: number): string {
  const text = String(micro).padStart(7, '0')
  return `${text.slice(0, -6)}.${text.slice(-6)}`
}
