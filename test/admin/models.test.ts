import { expect, test } from 'vitest'

import { type AdminGateway, type Page, nodesOf, startAdminGateway } from './admin-gateway.ts'

const account = (id: string, provider: string, models: string[], enabled = true) => ({
  id,
  provider,
  baseUrl: 'http://127.0.0.1:9',
  models,
  enabled,
})

interface Model {
  readonly name: string
  readonly accounts: Page<{ accountId: string; native: string[]; translated: string[] }>
}

async function modelsOf(gateway: AdminGateway, page: object = {}): Promise<Page<Model>> {
  const { data, errors } = await gateway.graph<{ models: Page<Model> }>(
    `query ($first: Int, $after: String, $search: String) {
      models(first: $first, after: $after, filter: {search: $search}) {
        edges { node { name kind model served
          accounts(first: 3) { edges { node { accountId enabled upstreamModel native translated } }
            pageInfo { hasNextPage } } } } pageInfo { hasNextPage endCursor } } }`,
    page,
  )
  expect(errors).toEqual([])
  return data.models
}

test('every name that callers can send is listed with the accounts that have it', async () => {
  await using gateway = await startAdminGateway({
    accounts: [
      account('talker', 'anthropic', ['claude-9', 'shared']),
      account('all', 'openai', ['gpt-*']),
      account('off', 'openai', ['old', 'shared'], false),
    ],
    aliases: { fast: 'gpt-5', lost: 'nothing' },
  })
  const models = nodesOf(await modelsOf(gateway))
  expect(models.map(({ name }) => name)).toEqual([
    'claude-9',
    'fast',
    'gpt-*',
    'lost',
    'old',
    'shared',
  ])
  const [claude, fast, pattern, lost, old, shared] = models
  expect(claude).toMatchObject({ kind: 'MODEL', model: 'claude-9', served: true })
  const [talker] = nodesOf(claude!.accounts)
  expect(talker!.native).toContain('messages')
  expect(talker!.translated).toEqual(expect.arrayContaining(['chat', 'responses']))
  expect(talker!.translated).not.toContain('messages')
  expect(fast).toMatchObject({
    kind: 'ALIAS',
    model: 'gpt-5',
    served: true,
    accounts: { edges: [{ node: { accountId: 'all', upstreamModel: 'gpt-5' } }] },
  })
  expect(pattern).toMatchObject({ kind: 'PATTERN', served: true })
  expect(nodesOf(pattern!.accounts)).toMatchObject([{ accountId: 'all', upstreamModel: null }])
  expect(lost).toMatchObject({ served: false, accounts: { edges: [] } })
  expect(old).toMatchObject({ served: false })
  expect(nodesOf(old!.accounts)).toMatchObject([{ accountId: 'off', enabled: false }])
  expect(nodesOf(shared!.accounts).map(({ accountId }) => accountId)).toEqual(['off', 'talker'])
})

test('a search is a beginning, and its length has a limit', async () => {
  await using gateway = await startAdminGateway({
    accounts: [account('one', 'openai', ['a', 'b-1', 'b-2', 'b-3', 'c', '%', 'b-%'])],
  })
  const names = async (page: object) =>
    nodesOf(await modelsOf(gateway, page)).map(({ name }) => name)
  expect(await names({ search: 'b-' })).toEqual(['b-%', 'b-1', 'b-2', 'b-3'])
  expect(await names({ search: 'b-', after: 'b-1', first: 1 })).toEqual(['b-2'])
  expect(await names({ search: '%' })).toEqual(['%'])
  expect(await names({ search: 'b', after: 'c' })).toEqual([])
  const { errors } = await gateway.graph(
    `{ models(filter: {search: "${'x'.repeat(201)}"}) { edges { node { name } } } }`,
  )
  expect(errors[0]?.extensions?.code).toBe('BAD_USER_INPUT')
})

test('ten thousand accounts are paged, each once, with bounded pages of accounts', async () => {
  const accounts = Array.from({ length: 10_000 }, (_, index) =>
    account(`a-${index}`, 'openai', [`own-${index}`, 'shared', `p${index % 50}-*`]),
  )
  await using gateway = await startAdminGateway({ accounts })
  const first = await modelsOf(gateway, { first: 20 })
  expect(nodesOf(first)).toHaveLength(20)
  const [shared] = nodesOf(await modelsOf(gateway, { search: 'shared' }))
  expect(nodesOf(shared!.accounts).map(({ accountId }) => accountId)).toEqual([
    'a-0',
    'a-1',
    'a-10',
  ])
  expect(shared!.accounts.pageInfo.hasNextPage).toBe(true)
  const seen = new Set<string>()
  for (let after = ''; ;) {
    const { data } = await gateway.graph<{ models: Page<{ name: string }> }>(
      `query ($after: String) { models(first: 100, after: $after, filter: {search: "own-1"}) {
        edges { node { name } } pageInfo { hasNextPage endCursor } } }`,
      { after },
    )
    for (const { name } of nodesOf(data.models)) seen.add(name)
    after = data.models.pageInfo.endCursor!
    if (!data.models.pageInfo.hasNextPage) break
  }
  expect(seen.size).toBe(1_111)
})

test('an account of a model says what tokens cost there now', async () => {
  await using gateway = await startAdminGateway({
    accounts: [
      {
        ...account('own', 'openai', ['gpt-5.4']),
        prices: { 'gpt-5.4': { rates: { input: '0.000001', output: 12.5 } } },
      },
      account('published', 'openai', ['gpt-5.4']),
      { ...account('free', 'openai', ['gpt-5.4']), prices: 'free' as const },
      account('unknown', 'openai-compatible', ['gpt-5.4']),
    ],
  })
  const pricesNow = async () => {
    const { data } = await gateway.graph<{ models: Page<{ accounts: Page<{ price: unknown }> }> }>(
      '{ models { edges { node { accounts { edges { node { price { isFree checkedAt rates { input output cacheRead } } } } } } } } }',
    )
    const [model] = nodesOf(data.models)
    return nodesOf(model!.accounts).map(({ price }) => price)
  }
  const none = { input: null, output: null, cacheRead: null }
  expect(await pricesNow()).toEqual([
    { isFree: true, checkedAt: null, rates: none },
    { isFree: false, checkedAt: null, rates: { ...none, input: '0.000001', output: '12.5' } },
    {
      isFree: false,
      checkedAt: expect.stringMatching(/^\d{4}-/) as string,
      rates: { input: '2.5', output: '15', cacheRead: '0.25' },
    },
    null,
  ])
  const set = 'setPrice(input: {model: "gpt-5.4", accountId: "unknown", isFree: true})'
  await gateway.graph(`mutation { ${set} { __typename } }`)
  expect((await pricesNow())[3]).toEqual({ isFree: true, checkedAt: null, rates: none })
})
