import { describe, expect, test } from 'vitest'

import { createSnapshot } from '../../src/accounts/snapshot.ts'
import type { Candidate } from '../../src/contract/candidate.ts'
import type { Understood } from '../../src/contract/exchange.ts'
import { createPriceOf } from '../../src/accounts/prices.ts'
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

  test.each([1e9, 9e15, -1, Number.NaN])(
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
    for (let count = 0; count < 40; count++) estimator.learn(learned(1e9))
    expect(estimator.estimate(call({})).outputTokens).toBe(131_072)
  })

  test.each([{ max_tokens: 9e15 }, { max_tokens: 2e9 }, { max_tokens: 1e9, n: 1_000 }])(
    'a strict limit of cost holds no less for %j than for a possible reply',
    (json) => {
      const { most } = createEstimator().estimate(call(json))
      expect([most.outputTokens, most.cost! >= 1e12]).toEqual([1e9, true])
    },
  )

  test('has the price of the dearest account, and none where no account has one', () => {
    const cost = (rates: readonly string[]) =>
      createEstimator().estimate(call({ max_tokens: 1_000 }, rates)).cost
    expect(cost(['1', '3', 'free'])).toBe(cost(['3']))
    expect(cost(['free'])).toBe(0)
    expect(cost([])).toBeUndefined()
  })
})
