import { expect, test } from 'vitest'

import { openStore } from '../../src/stores/open.ts'
import { startRedis } from '../../src/testing/redis.ts'
import { until } from '../../src/testing/until.ts'
import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { type AdminGateway, type Page, nodesOf, startAdminGateway } from './admin-gateway.ts'

interface LimitNode {
  readonly id: string
  readonly amount: number | string
  readonly spent: number | string | null
  readonly [name: string]: unknown
}

interface Result {
  readonly __typename: string
  readonly message?: string
  readonly fix?: string
  readonly problems?: readonly { readonly path: string }[]
  readonly limit?: LimitNode
  readonly warnings?: readonly string[]
  readonly dryRun?: boolean
}

const fields = `id subject { type id } kind amount window models action managedBy extra { amount until }
  spent held remaining resetsAt version changedBy`

async function act(gateway: AdminGateway, name: string, input: object): Promise<Result> {
  const type = `${name[0]!.toUpperCase()}${name.slice(1)}`
  const success = name === 'removeLimit' ? 'id' : `limit { ${fields} }`
  const { data, errors } = await gateway.graph<Record<string, Result>>(
    `mutation ($input: ${type}Input!) { ${name}(input: $input) { __typename
      ... on ${type}Success { ${success} ${name === 'setLimit' ? 'warnings dryRun' : ''} }
      ... on ActFailure { message } ... on ManagedByFile { fix } ... on Invalid { problems { path } } } }`,
    { input },
  )
  expect(errors).toEqual([])
  return data[name]!
}

async function limitsOf(gateway: AdminGateway, subject?: object): Promise<LimitNode[]> {
  const { data, errors } = await gateway.graph<{ limits: LimitNode[] }>(
    `query ($subject: LimitSubjectInput) { limits(subject: $subject) { ${fields} } }`,
    { subject },
    'viewer',
  )
  expect(errors).toEqual([])
  return data.limits
}

const usage = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 }
const completion = {
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage,
}
const prices = { m: { rates: { input: '1000', output: '1000' } } }

const chat = async ({ url, key }: AdminGateway): Promise<number> => {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'm',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'hello' }],
    }),
  })
  await response.body?.cancel()
  return response.status
}

async function startWithAccount(options: object = {}) {
  const account = await startFakeAccount(answerJson(completion))
  const gateway = await startAdminGateway({
    accounts: [{ id: 'one', provider: 'openai', baseUrl: account.url, apiKey: 'x', models: ['m'] }],
    prices,
    ...options,
  })
  return {
    gateway,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await account[Symbol.asyncDispose]()
    },
  }
}

const ofKey = { type: 'KEY', id: 'test' }

test('a budget that would refuse models without a price says so when it is set', async () => {
  const at = (id: string, models: readonly string[], more: object = {}) => ({
    id,
    provider: 'openai-compatible',
    baseUrl: 'http://127.0.0.1:9/v1',
    apiKey: 'x',
    models: [...models],
    ...more,
  })
  await using gateway = await startAdminGateway({
    accounts: [
      at('one', ['m', 'new-1', 'new-2', 'both']),
      at('two', ['both'], { prices: { both: { rates: { input: '1', output: '1' } } } }),
      at('off', ['other'], { enabled: false }),
    ],
    prices,
    teams: [{ id: 'red', models: ['new-1', 'm'] }],
  })
  const cost = { kind: 'COST', amount: '5', window: 'day' }
  const warningsOf = async (input: object) =>
    (await act(gateway, 'setLimit', { ...cost, ...input })).warnings
  const refused = (names: string) =>
    `input.kind: it refuses calls of models without a price: ${names}`
  const partly = 'input.kind: accounts without a price get no calls of: "both"'
  expect(await warningsOf({ subject: { type: 'GATEWAY' }, dryRun: true })).toEqual([
    refused('"new-1", "new-2"'),
    partly,
  ])
  expect(await warningsOf({ subject: { type: 'GATEWAY' } })).toHaveLength(2)
  const team = { type: 'TEAM', id: 'red' }
  expect(await warningsOf({ subject: team })).toEqual([refused('"new-1"')])
  expect(await warningsOf({ subject: team, models: ['m'] })).toEqual([])
  expect(await warningsOf({ subject: team, models: ['new-*'] })).toEqual([refused('"new-1"')])
  // These refuse no call for want of a price.
  expect(await warningsOf({ subject: team, action: 'WARN' })).toEqual([])
  expect(await warningsOf({ subject: team, kind: 'TOKENS', amount: 5 })).toEqual([])
  expect(await warningsOf({ subject: { type: 'ACCOUNT', id: 'one' } })).toEqual([])
})

test('a limit that an operator sets refuses calls, shows what is spent, and an extra and a reset let them in again', async () => {
  await using started = await startWithAccount()
  const { gateway } = started
  const set = await act(gateway, 'setLimit', {
    subject: ofKey,
    kind: 'COST',
    amount: '1.00',
    window: 'month',
  })
  expect(set).toMatchObject({
    __typename: 'SetLimitSuccess',
    warnings: [],
    dryRun: false,
    limit: {
      id: 'key:test:cost:month',
      amount: '1',
      spent: '0',
      held: '0',
      remaining: '1',
      managedBy: 'STORE',
      version: 1,
      changedBy: 'token:admin',
    },
  })
  expect(await chat(gateway)).toBe(200)
  // The call has cost 1.1 USD.
  await until(async () => (await limitsOf(gateway, ofKey))[0]?.spent === '1.1')
  expect(await chat(gateway)).toBe(402)
  const soon = new Date(Date.now() + 3_600_000).toISOString()
  const id = 'key:test:cost:month'
  const granted = await act(gateway, 'grantExtra', { id, amount: 2, until: soon, reason: 'demo' })
  expect(granted.limit).toMatchObject({
    amount: '1',
    extra: { amount: '2', until: soon },
    remaining: '1.9',
  })
  expect(await chat(gateway)).toBe(200)
  await until(async () => (await limitsOf(gateway, ofKey))[0]?.spent === '2.2')
  await act(gateway, 'grantExtra', { id, amount: 0, until: soon, reason: 'over' })
  expect(await chat(gateway)).toBe(402)
  const reset = await act(gateway, 'resetLimit', { id, reason: 'new contract' })
  expect(reset.limit).toMatchObject({ spent: '0', remaining: '1', extra: null })
  expect(await chat(gateway)).toBe(200)
  await act(gateway, 'removeLimit', { id, reason: 'free' })
  expect(await chat(gateway)).toBe(200)
  expect(await limitsOf(gateway, ofKey)).toEqual([])
})

test('another amount leaves what was spent, and a dry run changes nothing', async () => {
  await using started = await startWithAccount()
  const { gateway } = started
  const limit = { subject: ofKey, kind: 'REQUESTS', window: 'day' }
  await act(gateway, 'setLimit', { ...limit, amount: 5 })
  expect(await chat(gateway)).toBe(200)
  await until(async () => (await limitsOf(gateway, ofKey))[0]?.spent === 1)
  const dry = await act(gateway, 'setLimit', { ...limit, amount: 1, dryRun: true })
  expect(dry).toMatchObject({ dryRun: true, limit: { amount: 1, spent: 1, remaining: 0 } })
  expect(await chat(gateway)).toBe(200)
  const changed = await act(gateway, 'setLimit', { ...limit, amount: 2, expectedVersion: 1 })
  expect(changed.limit).toMatchObject({ amount: 2, version: 2 })
  expect(await chat(gateway)).toBe(402)
  const late = await act(gateway, 'setLimit', { ...limit, amount: 9, expectedVersion: 1 })
  expect(late.__typename).toBe('Conflict')
})

test('limits of the file are reset and granted, and changed in the file alone', async () => {
  await using started = await startWithAccount({
    keys: [
      {
        id: 'test',
        secret: 'test-secret',
        quotas: [{ kind: 'requests', amount: 1, window: 'day' }],
      },
    ],
    quotas: [{ kind: 'concurrent', amount: 10 }],
  })
  const { gateway } = started
  const [own] = await limitsOf(gateway, ofKey)
  expect(own).toMatchObject({
    id: 'key:test:requests:day',
    managedBy: 'FILE',
    version: null,
    amount: 1,
  })
  expect(await limitsOf(gateway, { type: 'GATEWAY' })).toMatchObject([
    { id: 'gateway::concurrent', subject: { type: 'GATEWAY', id: null }, window: null },
  ])
  expect((await limitsOf(gateway)).map(({ id }) => id)).toEqual([
    'gateway::concurrent',
    'key:test:requests:day',
  ])
  const input = { subject: ofKey, kind: 'REQUESTS', amount: 9, window: 'day' }
  const refused = await act(gateway, 'setLimit', input)
  expect(refused.__typename).toBe('ManagedByFile')
  const removed = await act(gateway, 'removeLimit', { id: own!.id, reason: 'r' })
  expect(removed).toMatchObject({ __typename: 'ManagedByFile' })
  expect(removed.fix).toMatch(/keys\[0\]\.quotas/)
  expect(await chat(gateway)).toBe(200)
  expect(await chat(gateway)).toBe(402)
  await act(gateway, 'resetLimit', { id: own!.id, reason: 'r' })
  expect(await chat(gateway)).toBe(200)
})

test('a limit that cannot be is refused with the path of its input', async () => {
  await using gateway = await startAdminGateway()
  const rows: [input: object, typename: string, path?: string][] = [
    [{ subject: ofKey, kind: 'REQUESTS', amount: '1.5' }, 'Invalid', 'input.amount'],
    [{ subject: ofKey, kind: 'CONCURRENT', amount: 1, window: 'day' }, 'Invalid', 'input.window'],
    [{ subject: ofKey, kind: 'COST', amount: 1, window: 'year' }, 'Invalid', 'input.window'],
    [
      { subject: ofKey, kind: 'COST', amount: 1, window: 'day', zone: 'Mars' },
      'Invalid',
      'input.zone',
    ],
    [{ subject: ofKey, kind: 'REQUESTS', amount: 1, strict: true }, 'Invalid', 'input.strict'],
    [{ subject: ofKey, kind: 'COST', amount: 1, models: [] }, 'Invalid', 'input.models'],
    [{ subject: ofKey, kind: 'COST', amount: 1, models: ['\ud800'] }, 'Invalid', 'input.models'],
    [
      { subject: ofKey, kind: 'COST', amount: 1, models: ['x'.repeat(513)] },
      'Invalid',
      'input.models',
    ],
    [{ subject: { type: 'KEY' }, kind: 'COST', amount: 1 }, 'Invalid', 'input.subject.id'],
    [
      { subject: { type: 'GATEWAY', id: 'x' }, kind: 'COST', amount: 1 },
      'Invalid',
      'input.subject.id',
    ],
    [{ subject: { type: 'TEAM', id: 'x' }, kind: 'COST', amount: 1 }, 'NotFound'],
    [{ subject: { type: 'ACCOUNT', id: 'x' }, kind: 'COST', amount: 1 }, 'NotFound'],
  ]
  for (const [input, typename, path] of rows) {
    const { __typename, problems } = await act(gateway, 'setLimit', input)
    expect([input, __typename, problems?.[0]?.path]).toEqual([input, typename, path])
  }
  const unknown = { subject: { type: 'KEY', id: 'jwt-user' }, kind: 'REQUESTS', amount: 1 }
  const warned = await act(gateway, 'setLimit', unknown)
  expect(warned.warnings?.[0]).toContain('no API key "jwt-user"')
  const id = 'key:jwt-user:requests:1m'
  const past = { id, amount: 1, until: '2020-01-01T00:00:00Z', reason: 'r' }
  expect((await act(gateway, 'grantExtra', past)).problems).toEqual([{ path: 'input.until' }])
  for (const name of ['resetLimit', 'removeLimit']) {
    expect((await act(gateway, name, { id: 'nothing', reason: 'r' })).__typename).toBe('NotFound')
  }
})

test('a damaged limit takes no other limit along, and its subject gets no calls until it is written over', async () => {
  const store = await openStore('memory:', { cwd: '.' })
  await using started = await startWithAccount({ store })
  const { gateway } = started
  const damaged = { version: 1, changedAt: 1, changedBy: 'x' }
  const records = store.records('limits', { listed: true })
  const id = 'key:test:requests:1m'
  const quota = { kind: 'requests', amount: 'many' }
  await records.set(id, { ...damaged, id, subject: { type: 'key', id: 'test' }, quota })
  await records.set('other', { ...damaged })
  const set = await act(gateway, 'setLimit', { subject: ofKey, kind: 'COST', amount: 3 })
  expect(set.limit?.id).toBe('key:test:cost:total')
  await until(() => JSON.stringify(gateway.log).includes('records of limits are damaged'))
  expect(await chat(gateway)).toBe(429)
  const mended = await act(gateway, 'setLimit', { subject: ofKey, kind: 'REQUESTS', amount: 3 })
  expect(mended.limit).toMatchObject({ amount: 3, version: 2 })
  expect(await chat(gateway)).toBe(200)
})

test('a damaged limit can be removed, and is neither reset nor granted more: what it counts is not known', async () => {
  const store = await openStore('memory:', { cwd: '.' })
  await using started = await startWithAccount({ store })
  const { gateway } = started
  const records = store.records('limits', { listed: true })
  const ids = ['key:test:cost:day', 'other', 'key:test:tokens:day']
  await records.set(ids[0]!, { version: 1, changedAt: 1, changedBy: 'x', id: ids[0] })
  await records.set(ids[1]!, 'no record')
  const quota = { kind: 'tokens', amount: 'many', window: 'day' }
  const of = { type: 'key', id: 'test' }
  await records.set(ids[2]!, {
    version: 3,
    changedAt: 1,
    changedBy: 'x',
    id: ids[2],
    subject: of,
    quota,
  })
  await until(() => JSON.stringify(gateway.log).includes(ids[2]!))
  const until2100 = '2100-01-01T00:00:00Z'
  for (const id of [ids[0]!, ids[2]!]) {
    const reset = await act(gateway, 'resetLimit', { id, reason: 'r' })
    const granted = await act(gateway, 'grantExtra', {
      id,
      amount: 9,
      until: until2100,
      reason: 'r',
    })
    expect([reset.__typename, granted.__typename]).toEqual(['Conflict', 'Conflict'])
  }
  expect(await chat(gateway)).toBe(429)
  for (const id of ids) {
    const removed = await act(gateway, 'removeLimit', { id, reason: 'r' })
    expect([id, removed.__typename]).toEqual([id, 'RemoveLimitSuccess'])
  }
  expect(await records.list()).toEqual([])
  expect(await chat(gateway)).toBe(200)
})

test('on a Redis the other gateway has the limit, its extra and its reset, and each act has one record', async () => {
  await using redis = await startRedis()
  await using one = await startWithAccount({ store: redis.url })
  await using other = await startWithAccount({ store: redis.url })
  const limit = { subject: { type: 'GATEWAY' }, kind: 'REQUESTS', amount: 1, window: 'day' }
  await act(one.gateway, 'setLimit', limit)
  await until(async () => (await limitsOf(other.gateway)).length === 1)
  expect(await chat(other.gateway)).toBe(200)
  expect(await chat(one.gateway)).toBe(402)
  const id = 'gateway::requests:day'
  const soon = new Date(Date.now() + 3_600_000).toISOString()
  await act(one.gateway, 'grantExtra', { id, amount: 1, until: soon, reason: 'r' })
  await until(async () => (await chat(other.gateway)) === 200)
  expect(await chat(other.gateway)).toBe(402)
  await act(other.gateway, 'resetLimit', { id, reason: 'r' })
  expect(await chat(one.gateway)).toBe(200)
  await act(other.gateway, 'removeLimit', { id, reason: 'r' })
  const { data } = await one.gateway.graph<{ audit: Page<{ action: string; result: string }> }>(
    '{ audit { edges { node { action result } } } }',
  )
  expect(nodesOf(data.audit)).toEqual(
    ['limit.remove', 'limit.reset', 'limit.grant', 'limit.set'].map((action) => ({
      action,
      result: 'DONE',
    })),
  )
})

test('an operator sees which limits are nearly used up, across all subjects, and what they limit', async () => {
  await using started = await startWithAccount()
  const { gateway } = started
  await act(gateway, 'setLimit', { subject: ofKey, kind: 'COST', amount: '2', window: 'month' })
  await act(gateway, 'setLimit', {
    subject: { type: 'GATEWAY' },
    kind: 'REQUESTS',
    amount: 1_000,
    window: 'day',
  })
  await act(gateway, 'setLimit', {
    subject: { type: 'ACCOUNT', id: 'one' },
    kind: 'REQUESTS',
    amount: 10,
    window: 'day',
  })
  const nearest = async (most: number) => {
    const { data, errors } = await gateway.graph<{ limits: LimitNode[] }>(
      `{ limits(nearest: ${most}) { id subject { account { id } key { id } team { id } } } }`,
      {},
      'viewer',
    )
    return errors.length > 0 ? errors[0]!.extensions?.code : data.limits
  }
  expect(await nearest(5)).toEqual([])
  expect(await chat(gateway)).toBe(200)
  await until(async () => (await limitsOf(gateway, ofKey))[0]?.spent === '1.1')
  await until(async () => (await nearest(5))?.length === 3)
  expect(await nearest(2)).toEqual([
    { id: 'key:test:cost:month', subject: { account: null, key: { id: 'test' }, team: null } },
    { id: 'account:one:requests:day', subject: { account: { id: 'one' }, key: null, team: null } },
  ])
  expect(await nearest(21)).toBe('BAD_USER_INPUT')
})
