import { expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { until } from '../../src/testing/until.ts'
import { type Page, nodesOf } from './admin-gateway.ts'
import { call, exchangesOf, processesOf, startReplica } from './replicas.ts'

const cancel = `mutation ($id: ID!) { cancelExchange(input: {id: $id, reason: "stuck"}) {
  __typename ... on CancelExchangeSuccess { id processId } ... on NotFound { message } } }`

test('an exchange is seen and cancelled from another process, and leaves a trace of metadata', async () => {
  await using sandbox = await startSandbox()
  const store = openMemoryStore()
  await using one = await startReplica(store, sandbox.url)
  await using other = await startReplica(store, sandbox.url)
  const reply = await call(one, 'sandbox/words=5000+pace=50', true)
  await until(async () => (await exchangesOf(other)).length === 1)
  const [running] = await exchangesOf(other)
  expect(running).toMatchObject({
    id: reply.headers.get('x-request-id'),
    processId: one.services.processes.id,
    keyId: 'test',
    dialect: 'chat',
    operation: 'chat.create',
    model: 'sandbox/words=5000+pace=50',
    accountId: 'a',
    attemptCount: 1,
    stream: true,
  })

  const missing = await other.graph<{ cancelExchange: object }>(cancel, { id: 'req_none' })
  expect(missing.data.cancelExchange).toMatchObject({ __typename: 'NotFound' })
  const done = await other.graph<{ cancelExchange: object }>(
    cancel,
    { id: running?.id },
    'operator',
  )
  expect(done.data.cancelExchange).toEqual({
    __typename: 'CancelExchangeSuccess',
    id: running?.id,
    processId: one.services.processes.id,
  })
  expect(await reply.text()).toContain('exchange_cancelled')
  expect(sandbox.url).toBeTruthy()

  const recent = `{ recent(first: 5) { edges { node { id processId accountId status end error attemptCount
    attempts { accountId outcome error fault } bytesOut } } pageInfo { hasNextPage } } }`
  const { data, errors } = await other.graph<{ recent: Page<object> }>(recent, {}, 'viewer')
  expect(errors).toEqual([])
  expect(nodesOf(data.recent)).toEqual([
    {
      id: running?.id,
      processId: one.services.processes.id,
      accountId: 'a',
      status: 200,
      end: 'BROKEN',
      error: 'exchange_cancelled',
      attemptCount: 1,
      attempts: [
        { accountId: 'a', outcome: 'FAILED', error: 'exchange_cancelled', fault: 'GATEWAY' },
      ],
      bytesOut: expect.any(Number) as number,
    },
  ])
  expect(JSON.stringify(data)).not.toContain('canary')
  const audit = '{ audit { edges { node { action target { id } result reason } } } }'
  const records = await one.graph<{ audit: Page<object> }>(audit)
  expect(nodesOf(records.data.audit)[0]).toEqual({
    action: 'exchange.cancel',
    target: { id: running?.id },
    result: 'DONE',
    reason: 'stuck',
  })
})

test('a request that waits for its account is cancelled with an error that nobody retries', async () => {
  await using sandbox = await startSandbox()
  await using gateway = await startReplica(openMemoryStore(), sandbox.url)
  const waiting = call(gateway, 'sandbox/stall=0', true)
  await until(async () => (await exchangesOf(gateway)).some(({ accountId }) => accountId === 'a'))
  const [running] = await exchangesOf(gateway)
  await gateway.graph(cancel, { id: running?.id }, 'operator')
  const reply = await waiting
  expect([reply.status, reply.headers.get('x-should-retry')]).toEqual([503, 'false'])
  const { edges } = (
    await gateway.graph<{ recent: Page<object> }>(
      '{ recent { edges { node { attemptCount error } } } }',
    )
  ).data.recent
  expect(edges.map(({ node }) => node)).toEqual([{ attemptCount: 1, error: 'exchange_cancelled' }])
})

test('a viewer cancels nothing, reloads nothing, and only an admin drains', async () => {
  await using gateway = await startReplica(openMemoryStore(), 'http://127.0.0.1:9')
  const reload = 'mutation { reloadConfiguration(input: {}) { __typename } }'
  const drain = 'mutation { startDrain(input: {reason: "x"}) { __typename } }'
  for (const [query, role] of [
    [cancel, 'viewer'],
    [reload, 'viewer'],
    [drain, 'operator'],
  ] as const) {
    const { errors } = await gateway.graph(query, { id: 'req_none' }, role)
    expect(errors[0]?.extensions?.code).toBe('FORBIDDEN')
  }
})

test('a bad configuration reaches no process, and the answer names each that has it', async () => {
  const store = openMemoryStore()
  const reloads: string[] = []
  const problem = { path: 'accounts[0].id', message: 'is taken', fix: 'choose another' }
  let problems = [problem]
  const control = (name: string, isBad: boolean) => ({
    check: async () => (isBad ? problems : []),
    reload: async () => {
      reloads.push(name)
      return []
    },
  })
  await using one = await startReplica(store, 'http://127.0.0.1:9', {
    control: control('a', false),
  })
  await using other = await startReplica(store, 'http://127.0.0.1:9', {
    control: control('b', true),
  })
  const reload = `mutation { reloadConfiguration(input: {reason: "new account"}) { __typename
    ... on Invalid { message problems { path message fix processIds } }
    ... on ReloadConfigurationSuccess { processes { processId status problems { path } } } } }`
  await until(async () => (await processesOf(one)).processes.length === 2)
  const refused = await one.graph<Record<string, object>>(reload, {}, 'operator')
  const bad = other.services.processes.id
  expect(refused.data['reloadConfiguration']).toEqual({
    __typename: 'Invalid',
    message: `${bad}: accounts[0].id: is taken.`,
    problems: [{ ...problem, processIds: [bad] }],
  })
  expect(reloads).toEqual([])

  problems = []
  const done = await one.graph<Record<string, object>>(reload, {}, 'operator')
  expect(done.data['reloadConfiguration']).toEqual({
    __typename: 'ReloadConfigurationSuccess',
    processes: [one, other].map(({ services: { processes } }) => ({
      processId: processes.id,
      status: 'DONE',
      problems: [],
    })),
  })
  expect(reloads.toSorted()).toEqual(['a', 'b'])
})

test('a problem that several processes have is named once, with all of them', async () => {
  const store = openMemoryStore()
  const problem = { path: 'accounts[0].id', message: 'is taken', fix: 'choose another' }
  const control = { check: async () => [problem], reload: async () => [] }
  await using one = await startReplica(store, 'http://127.0.0.1:9', { control })
  await using other = await startReplica(store, 'http://127.0.0.1:9', { control })
  await until(async () => (await processesOf(one)).processes.length === 2)
  const reload = `mutation { reloadConfiguration(input: {}) {
    ... on Invalid { message problems { path processIds } } } }`
  const refused = await one.graph<Record<string, object>>(reload, {}, 'operator')
  const processIds = [one, other].map(({ services }) => services.processes.id)
  expect(refused.data['reloadConfiguration']).toEqual({
    message: `${processIds.join(', ')}: accounts[0].id: is taken.`,
    problems: [{ path: 'accounts[0].id', processIds }],
  })
})

test('a process is drained by its id, and no other with it', async () => {
  const store = openMemoryStore()
  const drained: [string, boolean][] = []
  const control = (name: string) => ({
    drain: (everything: boolean) => void drained.push([name, everything]),
  })
  await using one = await startReplica(store, 'http://127.0.0.1:9', { control: control('a') })
  await using other = await startReplica(store, 'http://127.0.0.1:9', { control: control('b') })
  const drain = `mutation ($id: ID) { startDrain(input: {processId: $id, reason: "upgrade"}) {
    __typename ... on StartDrainSuccess { processes { processId status } } } }`
  const none = await one.graph<Record<string, object>>(drain, { id: 'nothing' })
  expect(none.data['startDrain']).toEqual({ __typename: 'NotFound' })
  const { id } = other.services.processes
  const done = await one.graph<Record<string, object>>(drain, { id })
  expect(done.data['startDrain']).toEqual({
    __typename: 'StartDrainSuccess',
    processes: [{ processId: id, status: 'DONE' }],
  })
  await until(() => drained.length > 0)
  expect(drained).toEqual([['b', false]])
  await one.graph(drain, {})
  await until(() => drained.length === 3)
  expect(drained.slice(1)).toEqual(
    expect.arrayContaining([
      ['a', true],
      ['b', true],
    ]),
  )
})

test('the delay of a process that ends begins before the answer', async () => {
  const store = openMemoryStore()
  const drained: string[] = []
  const control = (name: string) => ({
    drain: () => void drained.push(name),
    drainDelayMs: 5_000,
  })
  await using one = await startReplica(store, 'http://127.0.0.1:9', { control: control('a') })
  await using _other = await startReplica(store, 'http://127.0.0.1:9', { control: control('b') })
  await until(async () => (await processesOf(one)).processes.length === 2)
  await one.graph('mutation { startDrain(input: {reason: "upgrade"}) { __typename } }')
  expect(drained.toSorted()).toEqual(['a', 'b'])
})
