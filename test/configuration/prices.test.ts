import { describe, expect, test } from 'vitest'

import { trackConfiguration } from '../../src/configuration/in-use.ts'
import { checkConfiguration, resolveSettings } from '../../src/configuration/resolve.ts'

const env = {}
const rates = { input: '2', output: 8 }
const account = { id: 'a', provider: 'openai', apiKey: 'k', models: ['gpt-a'] }

const problemsOf = (config: object) =>
  checkConfiguration(config, { env }).problems.map(({ path, message }) => `${path} ${message}`)

test('prices arrive as they are written, for all accounts and for one', () => {
  const price = {
    rates,
    over: [{ inputTokens: 200_000, rates: { input: '4.000000', output: 12.25 } }],
    tiers: { flex: '0.5', priority: 2, PROVISIONED_THROUGHPUT: 0 },
  }
  const accounts = [
    { ...account, prices: { 'gpt-a': price } },
    { ...account, id: 'b', prices: 'free' },
  ]
  const prices = { 'gpt-a': price, 'vendor/model:tag': { rates } }
  const settings = resolveSettings({ prices, accounts }, { env })
  expect(settings.prices).toEqual(prices)
  expect(settings.accounts.map((one) => one.prices)).toEqual([{ 'gpt-a': price }, 'free'])
})

const expected = 'must be USD for a million tokens, from 0 to 1000 with at most 6 decimals'

describe('what is no price is a problem with its place', () => {
  test.each<[unknown, string]>([
    ['-1', `, but is "-1"`],
    [-1, `, but is -1`],
    [1_000.01, `, but is 1000.01`],
    ['1000.000001', `, but is "1000.000001"`],
    ['0.0000001', `, but is "0.0000001"`],
    [1e-7, `, but is 1e-7`],
    ['1e2', `, but is "1e2"`],
    ['$2', `, but is "$2"`],
    ['2,5', `, but is "2,5"`],
    ['', `, but is ""`],
    [null, `, but is null`],
  ])('a rate of %j', (input, but) => {
    const config = { prices: { 'gpt-a': { rates: { input } } } }
    expect(problemsOf(config)).toEqual([`prices.gpt-a.rates.input ${expected}${but}`])
    const own = { accounts: [{ ...account, prices: config.prices }] }
    expect(problemsOf(own)).toEqual([`accounts[0].prices.gpt-a.rates.input ${expected}${but}`])
  })

  test.each<[string, object, RegExp]>([
    ['no rate', { rates: {} }, /^prices\.m\.rates must be an object with at least one rate/],
    ['no rates', {}, /^prices\.m\.rates is missing/],
    ['rates without their object', rates, /^prices\.m\.rates is missing/],
    ['a mistyped rate', { rates: { inptu: 1 } }, /^prices\.m\.rates\.inptu unknown setting/],
    [
      'two rates for the same length',
      { rates, over: [5, 6, 5].map((inputTokens) => ({ inputTokens, rates })) },
      /^prices\.m\.over\[2\]\.inputTokens 5 is also the number of prices\.m\.over\[0\]$/,
    ],
    [
      'the standard tier',
      { rates, tiers: { Default: 1 } },
      /^prices\.m\.tiers\.Default means the standard tier/,
    ],
    [
      'a tier of no name',
      { rates, tiers: { 'a tier': 1 } },
      /^prices\.m\.tiers\.a tier is no name of a tier/,
    ],
    [
      'a tier without a name',
      { rates, tiers: { '': 1 } },
      /^prices\.m\.tiers\."" is no name of a tier/,
    ],
    [
      'a tier twice',
      { rates, tiers: { Priority: 2, flex: 0.5, priority: 3 } },
      /^prices\.m\.tiers\.priority is the same tier as "Priority"/,
    ],
    [
      'a factor of 1000',
      { rates, tiers: { flex: 1_000 } },
      /^prices\.m\.tiers\.flex must be a fac/,
    ],
  ])('%s', (_, price, message) => {
    const problems = problemsOf({ prices: { m: price } })
    const others = problems.filter((one) => !message.test(one))
    expect(others).toHaveLength(problems.length - 1)
    expect(others.filter((one) => !one.includes('unknown setting'))).toEqual([])
  })
})

test('a price without a name and those of an account have their places', () => {
  const prices = { '': { rates }, m: { rates, tiers: { standard: 1 } } }
  expect(problemsOf({ prices, accounts: [{ ...account, prices }] }).toSorted()).toEqual([
    'accounts[0].prices."" is a price of a model without a name',
    'accounts[0].prices.m.tiers.standard means the standard tier, whose factor is 1',
    'prices."" is a price of a model without a name',
    'prices.m.tiers.standard means the standard tier, whose factor is 1',
  ])
})

test('a reload takes prices, and operators see them', async () => {
  const tracker = trackConfiguration(resolveSettings({ prices: { m: { rates } } }, { env }))
  const next = resolveSettings(
    { prices: { m: { rates: { input: 3 } } }, accounts: [{ ...account, prices: 'free' }] },
    { env },
  )
  expect(tracker.reloaded(next)).toEqual([])
  expect(tracker.inUse.settings.prices).toEqual({ m: { rates: { input: 3 } } })
  const described = await tracker.inUse.describe()
  for (const [path, value] of [
    ['prices.m', { rates: { input: 3 } }],
    ['accounts[0].prices', 'free'],
  ])
    expect(described).toContainEqual({ path, value, origin: 'FILE' })
})
