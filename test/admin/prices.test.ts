import { expect, test } from 'vitest'

import { costOf } from '../../src/kit/cost.ts'
import { startRedis } from '../../src/testing/redis.ts'
import { until } from '../../src/testing/until.ts'
import { type AdminGateway, type Page, nodesOf, startAdminGateway } from './admin-gateway.ts'

const accounts = [
  {
    id: 'one',
    provider: 'openai',
    baseUrl: 'http://127.0.0.1:9',
    apiKey: 'x',
    models: ['gpt-5.6', 'own-model'],
  },
  {
    id: 'two',
    provider: 'sandbox',
    baseUrl: 'http://127.0.0.1:9',
    models: { public: 'own-model' },
  },
]

interface PriceNode {
  readonly model: string
  readonly origin: string | null
  readonly [name: string]: unknown
}

interface Result {
  readonly __typename: string
  readonly problems?: readonly { readonly path: string }[]
  readonly price?: PriceNode
  readonly warnings?: readonly string[]
}

const fields = `id model accountId provider origin checkedAt from isFree rates { input output cacheRead } over { inputTokens rates { input } }
  search units { unit kind amount } tiers { tier factor factors { input } } accountIds version changedBy`

async function act(gateway: AdminGateway, name: string, input: object): Promise<Result> {
  const type = `${name[0]!.toUpperCase()}${name.slice(1)}`
  const success = name === 'setPrice' ? `price { ${fields} } warnings dryRun` : 'model'
  const { data, errors } = await gateway.graph<Record<string, Result>>(
    `mutation ($input: ${type}Input!) { ${name}(input: $input) { __typename
      ... on ${type}Success { ${success} } ... on ActFailure { message } ... on Invalid { problems { path } } } }`,
    { input },
  )
  expect(errors).toEqual([])
  return data[name]!
}

async function pricesOf(gateway: AdminGateway, filter: object = {}): Promise<PriceNode[]> {
  const { data, errors } = await gateway.graph<{ prices: Page<PriceNode> }>(
    `query ($provider: String, $unpriced: Boolean) { prices(first: 50, provider: $provider, unpriced: $unpriced) {
      edges { node { ${fields} } } pageInfo { hasNextPage } } }`,
    filter,
    'viewer',
  )
  expect(errors).toEqual([])
  return nodesOf(data.prices)
}

function rateOf(gateway: AdminGateway, id: string, provider: string, model: string) {
  const price = gateway.running.accounts.snapshot.priceOf?.({ id, provider }, model)
  if (price === undefined || price === 'free') return price
  const inForce = price.later?.find(({ from }) => from <= Date.now()) ?? price
  return inForce.rates.get('input')
}

test('the list shows published prices, overrides and models without a price', async () => {
  await using gateway = await startAdminGateway({
    accounts: [...accounts, { ...accounts[1]!, id: 'free', prices: 'free' as const }],
    prices: {
      other: {
        rates: { input: 1, output: '2' },
        later: [{ from: '2030-01-31', rates: { input: 3 } }],
      },
    },
  })
  expect(await pricesOf(gateway)).toMatchObject([
    { model: '*', origin: 'FILE', isFree: true, accountId: 'free', accountIds: ['free'] },
    {
      model: 'gpt-5.6',
      origin: 'PUBLISHED',
      checkedAt: expect.stringMatching(/^20\d\d-\d\d-\d\dT00:00:00\.000Z$/),
      provider: 'openai',
      accountIds: ['one'],
    },
    {
      model: 'other',
      origin: 'FILE',
      checkedAt: null,
      rates: { input: '1', output: '2', cacheRead: null },
      from: null,
    },
    {
      model: 'other',
      origin: 'FILE',
      rates: { input: '3', output: null },
      from: '2030-01-31T00:00:00.000Z',
    },
    { model: 'own-model', origin: null, provider: 'openai', rates: null, accountIds: ['one'] },
    { model: 'own-model', origin: null, provider: 'sandbox', rates: null, accountIds: ['two'] },
  ])
  expect((await pricesOf(gateway, { unpriced: true })).map(({ provider }) => provider)).toEqual([
    'openai',
    'sandbox',
  ])
  expect((await pricesOf(gateway, { provider: 'sandbox' })).map(({ model }) => model)).toEqual([
    '*',
    'own-model',
  ])
  expect((await pricesOf(gateway, { unpriced: false })).map(({ origin }) => origin)).not.toContain(
    null,
  )
})

test('a price of the store goes before those of the same accounts, from its time on', async () => {
  await using gateway = await startAdminGateway({
    accounts: [{ ...accounts[0]!, prices: { 'own-model': { rates: { input: 7 } } } }, accounts[1]!],
    prices: { 'own-model': { rates: { input: '5' } } },
  })
  const one = () => rateOf(gateway, 'one', 'openai', 'own-model')
  const two = () => rateOf(gateway, 'two', 'sandbox', 'own-model')
  expect([one(), two()]).toEqual([7_000_000n, 5_000_000n])
  const set = (input: object) => act(gateway, 'setPrice', { model: 'own-model', ...input })
  const shared = await set({
    rates: { input: '2.50', output: 10 },
    search: '0.01',
    tiers: [{ tier: 'flex', factor: '0.5' }],
  })
  expect(shared.price).toMatchObject({
    origin: 'STORE',
    rates: { input: '2.50', output: '10' },
    search: '0.01',
    tiers: [{ tier: 'flex', factor: '0.5', factors: null }],
    version: 1,
    changedBy: 'token:admin',
    accountIds: ['one', 'two'],
  })
  expect([one(), two()]).toEqual([7_000_000n, 2_500_000n])
  await set({ provider: 'sandbox', rates: { input: 3 } })
  expect([one(), two()]).toEqual([7_000_000n, 3_000_000n])
  await set({ accountId: 'one', from: '2020-01-01T00:00:00Z', rates: { input: 4 } })
  await set({ accountId: 'two', from: '2100-01-01T00:00:00Z', rates: { input: 9 } })
  expect([one(), two()]).toEqual([4_000_000n, 3_000_000n])
  await act(gateway, 'removePrice', { model: 'own-model', provider: 'sandbox', reason: 'r' })
  expect([one(), two()]).toEqual([4_000_000n, 2_500_000n])
  const gone = await act(gateway, 'removePrice', {
    model: 'own-model',
    provider: 'sandbox',
    reason: 'r',
  })
  expect(gone.__typename).toBe('NotFound')
  const late = await set({ rates: { input: 1 }, expectedVersion: 0 })
  expect(late.__typename).toBe('Conflict')
})

test('a future price of a model without one leaves its present cost unknown', async () => {
  await using gateway = await startAdminGateway({ accounts })
  await act(gateway, 'setPrice', {
    model: 'own-model',
    from: '2100-01-01T00:00:00Z',
    rates: { input: 9 },
  })
  expect(rateOf(gateway, 'one', 'openai', 'own-model')).toBeUndefined()
})

test('mistaken prices are refused or warned of, and a dry run changes nothing', async () => {
  await using gateway = await startAdminGateway({ accounts })
  const rows: [input: object, path: string][] = [
    [{ model: '', rates: { input: 1 } }, 'input.model'],
    [{ model: 'm', rates: {} }, 'input.rates'],
    [{ model: 'm', rates: { input: 1_001 } }, 'input.rates.input'],
    [{ model: 'm', rates: { input: '0.0000001' } }, 'input.rates.input'],
    [
      { model: 'm', rates: { input: 1 }, tiers: [{ tier: 'default', factor: 2 }] },
      'input.tiers.default',
    ],
    [{ model: 'm', rates: { input: 1 }, accountId: 'one', provider: 'openai' }, 'input.provider'],
    [{ model: 'm' }, 'input.rates'],
    [{ model: 'm', tiers: [{ tier: 'flex', factor: 1 }] }, 'input.rates'],
    [{ model: 'm', isFree: true, search: 1 }, 'input.isFree'],
    [{ model: 'm', isFree: true, rates: { input: 1 } }, 'input.isFree'],
    [{ model: 'm', units: [{ unit: 'IMAGE', amount: '1001' }] }, 'input.units.image'],
    [
      {
        model: 'm',
        units: [
          { unit: 'SECOND', kind: '720p', amount: 1 },
          { unit: 'SECOND', amount: 2 },
        ],
      },
      'input.units[1]',
    ],
  ]
  for (const [input, path] of rows) {
    const { problems } = await act(gateway, 'setPrice', input)
    expect([input, problems?.[0]?.path]).toEqual([input, path])
  }
  const warned = await act(gateway, 'setPrice', {
    model: 'nothing',
    rates: { input: 1, cacheRead: 2 },
    dryRun: true,
  })
  expect(warned.warnings).toEqual([
    expect.stringContaining('lacks `output`'),
    expect.stringContaining('dearer than input'),
    expect.stringContaining('no account has a model of the name "nothing"'),
  ])
  expect((await pricesOf(gateway)).filter(({ origin }) => origin === 'STORE')).toEqual([])
})

test('a price of the store may be of units alone, or free, and the list shows it whole', async () => {
  await using gateway = await startAdminGateway({
    accounts: [{ ...accounts[0]!, models: ['dall-e-3', 'own-model'] }],
  })
  const units = [
    { unit: 'IMAGE', kind: 'hd', amount: '0.08' },
    { unit: 'IMAGE', kind: 'standard', amount: '0.04' },
    { unit: 'SECOND', kind: null, amount: '0.1' },
  ]
  const { price } = await act(gateway, 'setPrice', {
    model: 'own-model',
    units: units.map(({ kind, ...one }) => ({ ...one, ...(kind !== null && { kind }) })),
  })
  expect(price).toMatchObject({ units, rates: null, search: null, isFree: false })
  const found = () => gateway.running.accounts.snapshot.priceOf?.(openai, 'own-model')
  const openai = { id: 'one', provider: 'openai' }
  const costOfFilm = (usage: object) => {
    const one = found()
    return one && one !== 'free' ? costOf(usage, one) : one
  }
  expect(costOfFilm({ videoSeconds: 4 })).toBe(400_000_000)
  await act(gateway, 'setPrice', { model: 'own-model', isFree: true, tiers: [] })
  const usages = [
    { videoSeconds: 4 },
    { images: 1 },
    { inputTokens: 1, outputTokens: 1, tier: 'x' },
  ]
  expect(usages.map(costOfFilm)).toEqual([0, 0, 0])
  const shown = (await pricesOf(gateway)).find(({ model }) => model === 'own-model')
  expect(shown).toMatchObject({ origin: 'STORE', isFree: true, rates: null, units: [] })
})

test('a price reaches the other gateway on a Redis, and each act has one record', async () => {
  await using redis = await startRedis()
  await using one = await startAdminGateway({ store: redis.url, accounts })
  await using other = await startAdminGateway({ store: redis.url, accounts })
  await act(one, 'setPrice', { model: 'own-model', rates: { input: 1, output: 2 } })
  await until(() => rateOf(other, 'one', 'openai', 'own-model') === 1_000_000n)
  expect((await pricesOf(other, { unpriced: true })).length).toBe(0)
  await act(other, 'removePrice', { model: 'own-model', reason: 'r' })
  await until(() => rateOf(one, 'one', 'openai', 'own-model') === undefined)
  const { data } = await one.graph<{ audit: Page<object> }>(
    '{ audit { edges { node { action result target { type id } before after } } } }',
  )
  expect(nodesOf(data.audit)).toEqual([
    {
      action: 'price.remove',
      result: 'DONE',
      target: { type: 'price', id: 'own-model' },
      before: { rates: { input: 1, output: 2 } },
      after: null,
    },
    expect.objectContaining({ action: 'price.set', after: { rates: { input: 1, output: 2 } } }),
  ])
})
