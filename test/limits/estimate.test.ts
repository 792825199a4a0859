import { describe, expect, test } from 'vitest'

import { createSnapshot } from '../../src/accounts/snapshot.ts'
import type { Usage } from '../../src/contract/outcome.ts'
import type { Price } from '../../src/contract/prices.ts'
import type { Candidate } from '../../src/contract/candidate.ts'
import type { Understood } from '../../src/contract/exchange.ts'
import { usedOf } from '../../plugins/limits/charges.ts'
import { createPriceOf } from '../../src/accounts/prices.ts'
import { costOf } from '../../src/kit/cost.ts'
import { createEstimator } from '../../src/limits/estimate.ts'

/** A call of a model at accounts with these prices, in dollars a million tokens. */
function call(json: object, rates: readonly string[] = ['1']): Understood {
  const settings = rates.map((rate, index) => ({
    id: `account-${index}`,
    prices: rate === 'free' ? rate : { m: { rates: { input: rate, output: rate } } },
  }))
  const pool = settings.map(
    ({ id }) => ({ account: { id, provider: 'x' }, upstreamModel: 'm' }) as unknown as Candidate,
  )
  return {
    caller: { keyId: 'a' },
    model: { requested: 'm', name: 'm' },
    body: { bytes: Buffer.from(JSON.stringify(json)), json },
    dialect: {},
    operation: { capability: 'generate' },
    call: {},
    progress: {},
    snapshot: {
      ...createSnapshot([]),
      priceOf: createPriceOf({}, settings as never),
      pool: () => pool,
    },
  } as unknown as Understood
}

const learned = (outputTokens: number) => ({
  keyId: 'a',
  model: 'm',
  sizeTokens: 0,
  usage: { inputTokens: 1, outputTokens },
})

describe('the estimate of a call', () => {
  test.each([
    ['chat', { max_tokens: 300 }, 300],
    ['newer chat', { max_completion_tokens: 300, n: 2 }, 600],
    ['responses', { max_output_tokens: 300 }, 300],
    ['gemini', { generationConfig: { maxOutputTokens: 300, candidateCount: 2 } }, 600],
    ['an absent limit', {}, 4_096],
    ['a limit far above what replies have', { max_tokens: 1_000_000 }, 4_096],
    ['no number', { max_tokens: '300', n: -1 }, 4_096],
  ])('has the output that %s permits', (_, json, outputTokens) => {
    expect(createEstimator().estimate(call(json)).outputTokens).toBe(outputTokens)
  })

  test('strict limits hold all that the request permits', () => {
    expect(createEstimator().estimate(call({ max_tokens: 1_000_000 })).most.outputTokens).toBe(
      1_000_000,
    )
  })

  test('learns how long the replies of a key are, and how many bytes a token has', () => {
    const estimator = createEstimator()
    for (let count = 0; count < 19; count++) estimator.learn(learned(900))
    expect(estimator.estimate(call({})).outputTokens).toBe(4_096)
    for (let count = 0; count < 30; count++) estimator.learn(learned(900))
    expect(estimator.estimate(call({})).outputTokens).toBe(900)
    expect(
      estimator.estimate({ ...call({}), caller: { keyId: 'b' } } as Understood).outputTokens,
    ).toBe(4_096)
    const before = estimator.estimate(call({ text: 'x'.repeat(4_000) })).inputTokens
    for (let count = 0; count < 50; count++)
      estimator.learn({
        ...learned(900),
        sizeTokens: 500,
        usage: { inputTokens: 1_000, outputTokens: 9 },
      })
    const after = estimator.estimate(call({ text: 'x'.repeat(4_000) })).inputTokens
    expect(after / before).toBeGreaterThan(1.9)
  })

  test('many short replies do not let long ones begin for nothing', () => {
    const estimator = createEstimator()
    for (let count = 0; count < 40; count++) estimator.learn(learned(1))
    expect(estimator.estimate(call({})).outputTokens).toBe(256)
  })

  test.each([1e8, 9e15, -1, Number.NaN])(
    'a reply of %d reported tokens refuses no later call',
    (absurd) => {
      const estimator = createEstimator()
      estimator.learn(learned(absurd))
      estimator.learn({ ...learned(9), usage: { inputTokens: 1 } })
      for (let count = 0; count < 25; count++) {
        const { outputTokens, cost } = estimator.estimate(call({}))
        expect([outputTokens <= 4_096, cost! <= 5_000_000]).toEqual([true, true])
        estimator.learn(learned(900))
      }
      expect(estimator.estimate(call({})).outputTokens).toBe(900)
    },
  )

  test('no learned reply is longer than those of models', () => {
    const estimator = createEstimator()
    for (let count = 0; count < 40; count++) estimator.learn(learned(1e8))
    expect(estimator.estimate(call({})).outputTokens).toBe(131_072)
  })

  test.each([{ max_tokens: 9e15 }, { max_tokens: 2e9 }, { max_tokens: 1e8, n: 1_000 }])(
    'a strict limit of cost holds no less for %j than for a possible reply',
    (json) => {
      const { most } = createEstimator().estimate(call(json))
      expect([most.outputTokens, most.cost! >= 1e11]).toEqual([1e8, true])
    },
  )

  test('pitfall 5: has the price of the dearest account, and none where no account has one', () => {
    const cost = (rates: readonly string[]) =>
      createEstimator().estimate(call({ max_tokens: 1_000 }, rates)).cost
    expect(cost(['1', '3', 'free'])).toBe(cost(['3']))
    expect(cost(['free'])).toBe(0)
    expect(cost([])).toBeUndefined()
  })

  // Pitfall 5: an estimate at other rates than the charge.
  test.each<[string, object, Usage, string?]>([
    ['ordinary tokens', {}, {}],
    ['a dearer tier', { service_tier: 'priority' }, { tier: 'priority' }],
    ['the tier of a Gemini request', { serviceTier: 'PRIORITY' }, { tier: 'priority' }],
    ['a cheaper tier, which the account may not grant', { service_tier: 'flex' }, {}],
    ['an unknown tier', { service_tier: 'turbo' }, { tier: 'fast+us' }],
    ['a fast mode in a region', { speed: 'fast', inference_geo: 'us' }, { tier: 'fast+us' }],
    ['no region in particular', { inference_geo: 'global', service_tier: 'auto' }, {}],
    ['a reply of audio', { modalities: ['text', 'audio'] }, { audioOutputTokens: 100 }],
    [
      'a reply of images',
      { generationConfig: { responseModalities: ['TEXT', 'IMAGE'] } },
      { imageOutputTokens: 100 },
    ],
    ['an image by its dearest kind', {}, { images: 1, imageSize: 'hd' }, 'generate-image'],
    ['the characters of speech', { input: 'hello' }, { characters: 5 }, 'speak'],
    [
      'seconds by their dearest kind',
      { seconds: 4 },
      { videoSeconds: 4, videoSize: '4k' },
      'video',
    ],
  ])('costs as much as the charge of %s', (_, json, usage, capability = 'generate') => {
    const price = {
      rates: { input: '2', output: '3', outputAudio: '7', outputImage: '8' },
      tiers: { priority: '1.75', flex: '0.5', 'fast+us': '6' },
      units: {
        image: { small: '0.01', hd: '0.02' },
        second: { '720p': '0.1', '4k': '0.3' },
        character: '0.001',
      },
    }
    const asked = call({ max_tokens: 100, ...json })
    const priceOf = createPriceOf({ m: price }, [{ id: 'one' }] as never)
    const account = { id: 'one', provider: 'x' } as never
    const pool = () => [{ account, upstreamModel: 'm' } as unknown as Candidate]
    const exchange = {
      ...asked,
      operation: { capability },
      snapshot: { ...asked.snapshot, priceOf, pool },
    } as unknown as Understood
    const { inputTokens, outputTokens, cost } = createEstimator().estimate(exchange)
    const image = capability === 'generate-image' ? { imageOutputTokens: outputTokens } : {}
    const charged = { inputTokens, outputTokens, ...image, ...usage }
    expect(cost).toBe(costOf(charged, priceOf(account, 'm') as Price))
  })

  const price = {
    rates: { input: '2', output: '3', cacheRead: '0.2', cacheWrite: '2.5', cacheWrite1h: '4' },
    units: { search: '0.01' },
  }

  function estimateOf(json: object, some: object = price) {
    const priceOf = createPriceOf({ m: some }, [{ id: 'account-0' }] as never)
    const asked = call({ max_tokens: 100, ...json })
    const { inputTokens, cost } = createEstimator().estimate({
      ...asked,
      snapshot: { ...asked.snapshot, priceOf },
    })
    const account = { id: 'account-0', provider: 'x' } as never
    const charge = (usage: Usage) =>
      costOf({ inputTokens, outputTokens: 100, ...usage }, priceOf(account, 'm') as Price)
    return { inputTokens, cost, charge }
  }

  const short = { type: 'ephemeral' }
  const hour = { ...short, ttl: '1h' }
  const text = { type: 'text', text: 'x'.repeat(800) }

  test.each([
    ['short', { messages: [{ content: [{ ...text, cache_control: short }] }] }],
    ['short', { system: [{ ...text, cache_control: short }] }],
    ['short', { cache_control: short, messages: [{ content: 'hi' }] }],
    ['short', { tools: [{ name: 'one', cache_control: short }] }],
    [
      'hour',
      {
        messages: [
          { content: [{ type: 'tool_result', content: [{ ...text, cache_control: hour }] }] },
        ],
      },
    ],
    [
      'hour',
      {
        tools: [{ name: 'one', cache_control: hour }],
        system: [{ ...text, cache_control: short }],
      },
    ],
  ])('is not lower than a prompt that is written to a %s cache: %j', (kind, json) => {
    const { inputTokens, cost, charge } = estimateOf(json)
    const written = { cacheWriteTokens: inputTokens }
    expect(cost).toBe(
      charge(kind === 'short' ? written : { ...written, cacheWrite1hTokens: inputTokens }),
    )
    // A model without such a rate writes to no cache that costs.
    expect(estimateOf(json, { rates: { input: '2', output: '3' } }).cost).toBeGreaterThan(0)
  })

  test.each([
    { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
    { tools: [{ type: 'web_search_preview' }] },
    { tools: [{ google_search: {} }] },
    { web_search_options: {} },
  ])('has a search of a model that may search: %j', (json) => {
    const { cost, charge } = estimateOf(json)
    expect(cost).toBe(charge({ searches: 1 }))
    expect(estimateOf(json, { rates: price.rates }).cost).toBeGreaterThan(0)
  })

  test.each([
    {
      messages: [
        { content: [{ type: 'image_url', image_url: { url: 'https://a.example/b.png' } }] },
      ],
    },
    { input: [{ content: [{ type: 'input_image', image_url: 'https://a.example/b.png' }] }] },
    { input: [{ content: [{ type: 'input_file', file_url: 'https://a.example/b.pdf' }] }] },
    {
      messages: [
        { content: [{ type: 'image', source: { type: 'url', url: 'https://a.example/b' } }] },
      ],
    },
    { contents: [{ parts: [{ fileData: { fileUri: 'https://a.example/b.mp4' } }] }] },
    { contents: { parts: { file_data: { file_uri: 'https://a.example/b.mp4' } } } },
  ])('counts what a request names by a URL: %j', (json) => {
    expect(estimateOf(json).inputTokens).toBeGreaterThan(1_000)
  })

  test.each([{ characters: 5 }, { audioSeconds: 9 }, { images: 1 }, { searches: 1 }, {}])(
    'is charged for work that is told in units without a price: %j',
    (tokens) => {
      const estimate = createEstimator().estimate(call({ max_tokens: 300 }))
      const spend = { usage: 'reported', tokens, cost: 'no_usage' } as const
      expect(usedOf(spend, estimate)).toEqual({
        inputTokens: 0,
        outputTokens: 0,
        cost: estimate.cost,
      })
    },
  )

  test('of speech is by the length of its text', () => {
    const { cost, outputTokens } = createEstimator().estimate({
      ...call({ input: 'x'.repeat(100) }),
      operation: { capability: 'speak' },
    } as never)
    expect([outputTokens, cost! > 200_000]).toEqual([200, true])
  })

  test('counts no text that looks like a part', () => {
    const like = JSON.stringify({ cache_control: hour, image_url: 'https://a.example/b.png' })
    const { inputTokens, cost, charge } = estimateOf({ messages: [{ content: like }] })
    expect([inputTokens < 100, cost]).toEqual([true, charge({})])
  })

  test.each(['inputAudio', 'inputImage'])('has the rate of %s for media in base64', (name) => {
    const media = { content: 'A'.repeat(500_000) }
    const priceOf = createPriceOf({ m: { rates: { input: '1', output: '1', [name]: '10' } } }, [
      { id: 'account-0' },
    ] as never)
    const costWith = (snapshot: object) => {
      const asked = call({ max_tokens: 1, image: media.content })
      return createEstimator().estimate({
        ...asked,
        snapshot: { ...asked.snapshot, ...snapshot },
      }).cost!
    }
    expect(costWith({ priceOf }) / costWith({})).toBeGreaterThan(9)
  })
})
