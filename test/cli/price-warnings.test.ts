import { describe, expect, test } from 'vitest'

import { warningsOf } from './warned.ts'

const key = { id: 'team', secret: 'hush-0123456789abcdef' }
const account = { id: 'up', provider: 'openai', apiKey: 'hush', models: ['gpt-*'] }
const rates = { input: '2', output: '8' }

describe('check warns', () => {
  test('of prices that no model has, of caches dearer than none, and of models without a price', async () => {
    const dear = { ...rates, input: '0.9', cacheRead: '1.0' }
    const own = { ...account, id: 'own', models: { quick: 'gpt-own', slow: 'gpt-slow' } }
    const dated = { ...account, models: ['gpt-4.1-2025-04-14', 'claude-*', 'o9'] }
    const prices = {
      'gpt-4.1': { rates, over: [{ inputTokens: 9, rates: dear }] },
      'claude-9': { rates },
      'gpt-4': { rates: dear },
      quick: { rates },
    }
    const accounts = [dated, { ...own, prices: { 'gpt-own': { rates }, quick: { rates } } }]
    expect(await warningsOf({ keys: [key], accounts, prices })).toEqual([
      'prices.gpt-4.1.over[0].rates.cacheRead: is dearer than input.',
      'prices.gpt-4: no account has a model of this name.',
      'prices.gpt-4.rates.cacheRead: is dearer than input.',
      'prices.quick: no account has a model of this name, which is the clients\' name of "gpt-own".',
      'accounts[1].prices.quick: the account does not have a model of this name, which is the clients\' name of "gpt-own".',
      'accounts[0].models: no price for "o9".',
      'accounts[1].models: no price for "gpt-slow".',
    ])
    const free = accounts.map((one) => ({ ...one, prices: 'free' }))
    expect(await warningsOf({ keys: [key], accounts: free })).toEqual([])
  })

  test('of rates by their amounts, however they are written', async () => {
    const prices = {
      'gpt-a': { rates: { ...rates, input: '9', cacheRead: '10' } },
      'gpt-b': { rates: { ...rates, input: '10', cacheRead: 9 } },
    }
    expect(await warningsOf({ keys: [key], accounts: [account], prices })).toEqual([
      'prices.gpt-a.rates.cacheRead: is dearer than input.',
    ])
  })

  test('pitfall 16: of rates for one token instead of a million', async () => {
    const usual = { input: '0.001', output: 1_000, cacheRead: 0 }
    const prices = {
      'gpt-a': { rates: { input: 0.000002, output: '0.000008' } },
      'gpt-b': { rates: usual, over: [{ inputTokens: 9, rates: { ...usual, cacheRead: 0.0005 } }] },
    }
    const little = 'is little for a million tokens, the unit of rates.'
    expect(await warningsOf({ keys: [key], accounts: [account], prices })).toEqual([
      `prices.gpt-a.rates.input: ${little}`,
      `prices.gpt-a.rates.output: ${little}`,
      `prices.gpt-b.over[0].rates.cacheRead: ${little}`,
    ])
  })

  test('of rates without which nearly every call has no known cost', async () => {
    const prices = {
      'gpt-a': { rates: { input: 1 }, over: [{ inputTokens: 9, rates: { output: 1 } }] },
      'gpt-image': { rates: { input: 1, outputImage: 40 } },
      'gpt-b': { rates: { cacheRead: 1 } },
    }
    const unknown = (name: string) =>
      `lacks \`${name}\`, so the cost of nearly every call is unknown.`
    expect(await warningsOf({ keys: [key], accounts: [account], prices })).toEqual([
      `prices.gpt-a.rates: ${unknown('output')}`,
      `prices.gpt-a.over[0].rates: ${unknown('input')}`,
      `prices.gpt-b.rates: ${unknown('input')}`,
      `prices.gpt-b.rates: ${unknown('output')}`,
    ])
  })

  test('of no model without a price of an account that is taken out', async () => {
    const off = { ...account, id: 'off', models: ['o9'], enabled: false }
    const prices = { 'gpt-a': { rates } }
    expect(await warningsOf({ keys: [key], accounts: [account, off], prices })).toEqual([])
  })

  test('of no unknown name where accounts of the store may have it', async () => {
    const prices = { 'claude-9': { rates } }
    const configuration = { keys: [key], accounts: [account], prices }
    expect(await warningsOf(configuration)).toEqual([
      'prices.claude-9: no account has a model of this name.',
    ])
    expect(await warningsOf({ ...configuration, store: 'redis://127.0.0.1:1' })).toEqual([])
  })
})

test('check warns of models whose calls a quota of money refuses, and of no others', async () => {
  const accounts = [
    {
      id: 'local',
      provider: 'openai-compatible',
      baseUrl: 'http://127.0.0.1:9/v1',
      models: { fast: 'llama', slow: 'mistral' },
    },
  ]
  const warned =
    'accounts[0].models: no price for "llama", so that a quota of cost refuses its calls.'
  const cost = { kind: 'cost', amount: 5, models: ['fast'] }
  for (const config of [
    { quotas: [cost] },
    { teams: [{ id: 'a', quotas: [cost] }] },
    { keys: [{ ...key, quotas: [cost] }] },
  ]) {
    expect(await warningsOf({ keys: [key], accounts, ...config })).toEqual([warned])
  }
  for (const quota of [
    { ...cost, action: 'warn' },
    { kind: 'requests', amount: 5 },
  ]) {
    expect(await warningsOf({ keys: [key], accounts, quotas: [quota] })).toEqual([])
  }
})
