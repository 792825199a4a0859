import { expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { openStore } from '../../src/stores/open.ts'
import { startRedis } from '../../src/testing/redis.ts'
import { until } from '../../src/testing/until.ts'
import { type AdminGateway, type Page, nodesOf, startAdminGateway } from './admin-gateway.ts'

const accounts = [
  {
    id: 'one',
    provider: 'sandbox',
    baseUrl: 'http://127.0.0.1:9',
    models: ['m', 'gpt-5', 'gpt-6'],
  },
]

interface Result {
  readonly __typename: string
  readonly message?: string
  readonly secret?: string
  readonly team?: Record<string, unknown>
  readonly key?: Record<string, unknown>
}

async function act(gateway: AdminGateway, name: string, input: object): Promise<Result> {
  const type = `${name[0]!.toUpperCase()}${name.slice(1)}`
  const key = name.endsWith('Key') ? 'key { id team labels { name value } problem version }' : ''
  const team = /^(?:create|update)Team$/.test(name) ? 'team { id name models version }' : ''
  const { data, errors } = await gateway.graph<Record<string, Result>>(
    `mutation ($input: ${type}Input!) { ${name}(input: $input) { __typename
      ... on ${type}Success { ${key} ${team} ${name === 'createKey' ? 'secret' : ''} ${name === 'deleteTeam' ? 'id' : ''} }
      ... on ActFailure { message } } }`,
    { input },
  )
  expect(errors).toEqual([])
  return data[name]!
}

async function modelsFor({ url }: AdminGateway, secret: string): Promise<string[]> {
  const response = await fetch(`${url}/v1/models`, {
    headers: { authorization: `Bearer ${secret}` },
  })
  const { data } = (await response.json()) as { data: { id: string }[] }
  return data.map(({ id }) => id)
}

const teamsQuery = `{ teams { edges { node { id name models managedBy problem version changedBy } }
  pageInfo { hasNextPage endCursor } } }`

async function teamsOf(gateway: AdminGateway): Promise<Record<string, unknown>[]> {
  const { data } = await gateway.graph<{ teams: Page<Record<string, unknown>> }>(
    teamsQuery,
    {},
    'viewer',
  )
  return nodesOf(data.teams)
}

test('a key may use what both it and its team may, and the team changes at once for its keys', async () => {
  await using gateway = await startAdminGateway({ accounts })
  const created = await act(gateway, 'createTeam', {
    id: 'research',
    name: 'Research',
    models: ['gpt-*'],
  })
  expect(created.team).toEqual({ id: 'research', name: 'Research', models: ['gpt-*'], version: 1 })
  const { secret = '', key } = await act(gateway, 'createKey', {
    id: 'bot',
    team: 'research',
    labels: [
      { name: 'cost-centre', value: '42' },
      { name: 'app', value: 'chat' },
    ],
  })
  expect(key).toMatchObject({
    team: 'research',
    labels: [
      { name: 'app', value: 'chat' },
      { name: 'cost-centre', value: '42' },
    ],
  })
  expect(await modelsFor(gateway, secret)).toEqual(['gpt-5', 'gpt-6'])
  await act(gateway, 'updateKey', { id: 'bot', models: ['m', 'gpt-5'] })
  expect(await modelsFor(gateway, secret)).toEqual(['gpt-5'])
  const changed = await act(gateway, 'updateTeam', { id: 'research', models: null })
  expect(changed.team).toEqual({ id: 'research', name: 'Research', models: null, version: 2 })
  expect(await modelsFor(gateway, secret)).toEqual(['gpt-5', 'm'])
  const late = await act(gateway, 'updateTeam', { id: 'research', name: 'R', expectedVersion: 1 })
  expect(late.__typename).toBe('Conflict')
  const moved = await act(gateway, 'updateKey', { id: 'bot', team: null, labels: [] })
  expect(moved.key).toMatchObject({ team: null, labels: [] })
})

test('keys are found by team and label, and a key gets no team that does not exist', async () => {
  await using gateway = await startAdminGateway({
    accounts,
    teams: [{ id: 'fixed' }],
    keys: [{ id: 'test', secret: 'test-secret', team: 'fixed', labels: { app: 'chat' } }],
  })
  await act(gateway, 'createTeam', { id: 'research' })
  await act(gateway, 'createKey', {
    id: 'a',
    team: 'research',
    labels: [{ name: 'app', value: 'chat' }],
  })
  await act(gateway, 'createKey', { id: 'b', team: 'fixed' })
  const find = async (filter: object) => {
    const { data } = await gateway.graph<{ keys: Page<{ id: string }> }>(
      'query ($filter: KeyFilter) { keys(filter: $filter) { edges { node { id } } pageInfo { hasNextPage } } }',
      { filter },
    )
    return nodesOf(data.keys).map(({ id }) => id)
  }
  expect(await find({ team: 'fixed' })).toEqual(['b', 'test'])
  expect(await find({ label: { name: 'app', value: 'chat' } })).toEqual(['a', 'test'])
  expect(await find({ team: 'research', label: { name: 'app', value: 'x' } })).toEqual([])
  for (const [name, input] of [
    ['createKey', { id: 'c', team: 'nothing' }],
    ['updateKey', { id: 'a', team: 'nothing' }],
    ['createKey', { id: 'c', labels: [{ name: '__proto__', value: 'x' }] }],
    ['createKey', { id: 'c', labels: [{ name: 'x', value: 'x'.repeat(257) }] }],
  ] as const) {
    expect([input, (await act(gateway, name, input)).__typename]).toEqual([input, 'Invalid'])
  }
})

test('a team with keys stays; one of the file is changed there alone; a deleted one leaves no wider key', async () => {
  const store = await openStore('memory:', { cwd: '.' })
  await using gateway = await startAdminGateway({
    store,
    accounts,
    teams: [{ id: 'fixed', models: ['m'] }],
  })
  for (const [name, input] of [
    ['createTeam', { id: 'fixed' }],
    ['updateTeam', { id: 'fixed', name: 'x' }],
    ['deleteTeam', { id: 'fixed', reason: 'unused' }],
  ] as const) {
    expect([name, (await act(gateway, name, input)).__typename]).toEqual([name, 'ManagedByFile'])
  }
  await act(gateway, 'createTeam', { id: 'research' })
  expect((await act(gateway, 'createTeam', { id: 'research' })).__typename).toBe('Conflict')
  expect((await act(gateway, 'createTeam', { id: 'no id' })).__typename).toBe('Invalid')
  const { secret = '' } = await act(gateway, 'createKey', { id: 'bot', team: 'research' })
  const refused = await act(gateway, 'deleteTeam', { id: 'research', reason: 'unused' })
  expect(refused).toMatchObject({ __typename: 'Conflict', message: expect.stringContaining('bot') })
  // As when a key comes at the same moment.
  await store.records('teams', { listed: true }).delete('research')
  await until(async () => (await modelsFor(gateway, secret)).length === 0)
  const { data } = await gateway.graph<{ key: { problem: string } }>(
    '{ key(id: "bot") { problem } }',
  )
  expect(data.key.problem).toContain('"research" does not exist')
  await act(gateway, 'revokeKey', { id: 'bot', reason: 'unused' })
  await act(gateway, 'createTeam', { id: 'research' })
  const deleted = await act(gateway, 'deleteTeam', { id: 'research', reason: 'unused' })
  expect(deleted.__typename).toBe('DeleteTeamSuccess')
  expect((await act(gateway, 'deleteTeam', { id: 'research', reason: 'x' })).__typename).toBe(
    'NotFound',
  )
  expect(await teamsOf(gateway)).toMatchObject([{ id: 'fixed', managedBy: 'FILE', version: null }])
})

test('a team and a limit of the store that the file has too are deleted, and those of the file stay', async () => {
  await using redis = await startRedis()
  await using plain = await startAdminGateway({ store: redis.url, accounts })
  await act(plain, 'createTeam', { id: 'both', models: ['gpt-5'] })
  const limit = `mutation { setLimit(input: {subject: {type: TEAM, id: "both"}, kind: REQUESTS, amount: 1}) { __typename } }`
  await plain.graph(limit)
  const quotas = [{ kind: 'requests' as const, amount: 2 }]
  await using gateway = await startAdminGateway({
    store: redis.url,
    accounts,
    teams: [{ id: 'both', models: ['m'], quotas }],
    keys: [{ id: 'test', secret: 'test-secret', team: 'both' }],
  })
  expect(await teamsOf(gateway)).toMatchObject([
    { id: 'both', models: ['m'], managedBy: 'FILE', problem: expect.stringContaining('The store') },
  ])
  const removal = `mutation { removeLimit(input: {id: "team:both:requests:1m", reason: "r"}) { __typename } }`
  for (const type of ['RemoveLimitSuccess', 'ManagedByFile']) {
    const { data } = await gateway.graph<{ removeLimit: Result }>(removal)
    expect(data.removeLimit.__typename).toBe(type)
  }
  for (const type of ['DeleteTeamSuccess', 'ManagedByFile']) {
    const deleted = await act(gateway, 'deleteTeam', { id: 'both', reason: 'r' })
    expect(deleted.__typename).toBe(type)
  }
  expect(await modelsFor(gateway, 'test-secret')).toEqual(['m'])
  expect(await teamsOf(gateway)).toMatchObject([{ id: 'both', problem: null }])
})

test('a team reaches the other gateway on a Redis, and each act leaves one record', async () => {
  await using redis = await startRedis()
  await using one = await startAdminGateway({ store: redis.url, accounts })
  await using other = await startAdminGateway({ store: redis.url, accounts })
  await act(one, 'createTeam', { id: 'research', models: ['m'] })
  const { secret = '' } = await act(one, 'createKey', { id: 'bot', team: 'research' })
  await until(async () => (await modelsFor(other, secret)).join() === 'm')
  await act(other, 'updateTeam', { id: 'research', models: ['gpt-5'] })
  await until(async () => (await modelsFor(one, secret)).join() === 'gpt-5')
  await act(one, 'revokeKey', { id: 'bot', reason: 'r' })
  await act(one, 'deleteTeam', { id: 'research', reason: 'r' })
  const { data } = await other.graph<{ audit: Page<{ action: string; result: string }> }>(
    '{ audit { edges { node { action result before after } } } }',
  )
  expect(nodesOf(data.audit)).toEqual([
    {
      action: 'team.delete',
      result: 'DONE',
      before: { name: null, models: ['gpt-5'] },
      after: null,
    },
    expect.objectContaining({ action: 'key.revoke' }),
    {
      action: 'team.update',
      result: 'DONE',
      before: { models: ['m'] },
      after: { models: ['gpt-5'] },
    },
    expect.objectContaining({ action: 'key.create' }),
    { action: 'team.create', result: 'DONE', before: null, after: { name: null, models: ['m'] } },
  ])
})

test('a video counts for the team that its key had when it was ordered', async () => {
  await using sandbox = await startSandbox()
  const store = openMemoryStore()
  const quotas = [{ kind: 'cost', amount: 100, window: 'total' }] as const
  await using gateway = await startAdminGateway({
    store,
    accounts: [
      {
        id: 'films',
        provider: 'sandbox',
        baseUrl: sandbox.url,
        apiKey: 'sandbox-key-a',
        models: ['sora-2'],
      },
    ],
    prices: { 'sora-2': { units: { second: '1' } } },
    teams: [
      { id: 'red', quotas },
      { id: 'blue', quotas },
    ],
    keys: ['red', 'blue'].map((team) => ({ id: team, secret: `secret-of-${team}`, team })),
  })
  const { secret = '' } = await act(gateway, 'createKey', { id: 'bot', team: 'red' })
  const send = async <Body>(path: string, key: string, body?: object) => {
    const response = await fetch(`${gateway.url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return (await response.json()) as Body
  }
  const order = { model: 'sora-2', prompt: 'a film', seconds: '4' }
  const { id } = await send<{ id: string }>('/v1/videos', secret, order)
  const moved = await act(gateway, 'updateKey', { id: 'bot', team: 'blue' })
  expect(moved.key).toMatchObject({ team: 'blue' })
  await until(async () => {
    const { status } = await send<{ status: string }>(`/v1/videos/${id}`, secret)
    return status === 'completed'
  })
  type Limits = { limits: { spent: string; held: string }[] }
  const limitOf = async (team: string) =>
    (await send<Limits>('/dragoman/key', `secret-of-${team}`)).limits[0]
  await until(async () => Number((await limitOf('red'))?.held) === 0)
  expect(await limitOf('red')).toMatchObject({ spent: '4' })
  expect(await limitOf('blue')).toMatchObject({ spent: '0', held: '0' })
  await until(async () => (await store.ledger().rows({ limit: 9 })).some(({ isJob }) => isJob))
  const rows = await store.ledger().rows({ limit: 9 })
  expect(rows.find(({ isJob }) => isJob)).toMatchObject({ team: 'red', costNano: 4_000_000_000 })
})
