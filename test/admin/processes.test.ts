import { expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import type { Store } from '../../src/stores/store.ts'
import { breakable } from '../../src/testing/breakable-store.ts'
import { until } from '../../src/testing/until.ts'
import { type AdminGateway, type Page, nodesOf, startAdminGateway } from './admin-gateway.ts'

/** A gateway on a store that others share, with one account at a sandbox. */
function startReplica(store: Store, url: string, options = {}): Promise<AdminGateway> {
  const account = { id: 'a', provider: 'sandbox', baseUrl: url, apiKey: 'sandbox-key-a' }
  return startAdminGateway({ store, accounts: [{ ...account, models: ['*'] }], ...options })
}

function call(gateway: AdminGateway, model: string, stream = false): Promise<Response> {
  return fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      stream,
      messages: [{ role: 'user', content: 'canary-content' }],
    }),
  })
}

interface ProcessNode {
  readonly id: string
  readonly stale: boolean
  readonly accounts: { id: string; calls: number; failures: number; exclusions: object[] }[]
}

interface GatewayAnswer {
  readonly gateway: {
    readonly processId: string
    readonly processesComplete: boolean
    readonly ready: boolean
    readonly draining: boolean
    readonly store: { readonly kind: string; readonly reachable: boolean }
    readonly processes: ProcessNode[]
  }
}

const gatewayQuery = `{ gateway { version processId processesComplete ready draining
  store { kind reachable } configuration { hash loadedAt problems { path } }
  processes { id version startedAt at pid worker host draining ready inFlight loopLagMs stale
    configuration { hash } moreAccounts
    accounts { id inFlight calls failures exclusions { kind reason status until dialect } } } } }`

async function processesOf(gateway: AdminGateway): Promise<GatewayAnswer['gateway']> {
  const { data, errors } = await gateway.graph<GatewayAnswer>(gatewayQuery, {}, 'viewer')
  expect(errors).toEqual([])
  return data.gateway
}

interface Live {
  readonly id: string
  readonly processId: string
  readonly accountId: string
}

async function exchangesOf(gateway: AdminGateway): Promise<Live[]> {
  const query = `{ exchanges { id processId ageMs keyId dialect operation model accountId attempt
    stream bytesIn bytesOut firstOutputMs } }`
  return (await gateway.graph<{ exchanges: Live[] }>(query, {}, 'viewer')).data.exchanges
}

const cancel = `mutation ($id: ID!) { cancelExchange(input: {id: $id, reason: "stuck"}) {
  __typename ... on CancelExchangeSuccess { id processId } ... on NotFound { message } } }`

test('each replica shows all of them, with the same accounts in trouble', async () => {
  await using sandbox = await startSandbox()
  const store = openMemoryStore()
  await using one = await startReplica(store, sandbox.url)
  await using other = await startReplica(store, sandbox.url)
  await until(async () => (await processesOf(one)).processes.length === 2)
  const seen = await processesOf(other)
  expect(seen.processes.map(({ id }) => id).toSorted()).toEqual(
    (await processesOf(one)).processes.map(({ id }) => id).toSorted(),
  )
  expect(seen.processId).toBe(seen.processes[0]?.id)
  expect(seen).toMatchObject({
    version: '1.2.3',
    ready: true,
    draining: false,
    processesComplete: true,
    store: { kind: 'memory', reachable: true },
    processes: [{ pid: process.pid, worker: null }, {}],
  })

  // The upstream asks for a pause. Each replica says so, and says where.
  await call(one, 'sandbox/status=429+retry-after=60').then((reply) => reply.text())
  for (const replica of [one, other]) {
    await until(async () =>
      (await processesOf(replica)).processes.some(({ accounts }) =>
        accounts.some(({ exclusions }) => exclusions.length > 0),
      ),
    )
    const query =
      '{ account(id: "a") { processes { processId exclusions { kind status until } } } }'
    const { data, errors } = await replica.graph<{ account: { processes: object[] } }>(query)
    expect(errors).toEqual([])
    expect(data.account.processes).toContainEqual({
      processId: one.services.processes.id,
      exclusions: [{ kind: 'cooling', status: 429, until: expect.any(String) as string }],
    })
  }
})

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
    attempt: 1,
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

  const recent = `{ recent(first: 5) { edges { node { id processId accountId status end error attempts
    failedAttempts { accountId code fault } bytesOut } } pageInfo { hasNextPage } } }`
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
      attempts: 1,
      failedAttempts: [{ accountId: 'a', code: 'exchange_cancelled', fault: 'gateway' }],
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
      '{ recent { edges { node { attempts error } } } }',
    )
  ).data.recent
  expect(edges.map(({ node }) => node)).toEqual([{ attempts: 1, error: 'exchange_cancelled' }])
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

test('a store that is away is told: this process goes on, and the others are stale, never gone', async () => {
  await using sandbox = await startSandbox()
  const memory = openMemoryStore()
  const store = breakable(memory)
  await using other = await startReplica(memory, sandbox.url)
  await using one = await startReplica(store, sandbox.url)
  await until(async () => (await processesOf(one)).processes.length === 2)
  store.broken.reads = store.broken.writes = true
  await until(async () => !(await processesOf(one)).processesComplete)
  const seen = await processesOf(one)
  expect(seen.store.reachable).toBe(false)
  expect(seen.processes.map(({ id, stale }) => [id, stale])).toEqual([
    [one.services.processes.id, false],
    [other.services.processes.id, true],
  ])
  expect((await call(one, 'sandbox/echo')).status).toBe(200)
  const response = await fetch(`${one.adminUrl}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${one.token('viewer')}` },
    body: '{"query":"{ recent { edges { node { processId } } } exchanges { id } }"}',
  })
  const { data, extensions } = (await response.json()) as {
    data: { recent: Page<object> }
    extensions: object
  }
  expect(nodesOf(data.recent)).toEqual([{ processId: one.services.processes.id }])
  expect(extensions).toEqual({ unanswered: [other.services.processes.id] })

  store.broken.reads = store.broken.writes = false
  await until(async () => (await processesOf(one)).processesComplete)
  expect((await processesOf(one)).processes.map(({ stale }) => stale)).toEqual([false, false])
})

test('hostile and damaged records do nothing, and hide no process', async () => {
  await using sandbox = await startSandbox()
  const store = openMemoryStore()
  await using one = await startReplica(store, sandbox.url)
  const { id } = one.services.processes
  const processes = store.records<unknown>('processes', { listed: true })
  const forged = { ...((await processes.get(id)) as object) }
  await processes.set('..bad', 7)
  await processes.set('half', { id: 'half' })
  await processes.set('other-name', forged)
  await processes.set('huge', { ...forged, id: 'huge', startedAt: 1e300, pulse: [{ at: 'x' }] })
  expect((await processesOf(one)).processes.map((each) => each.id)).toEqual([id])

  let performed = 0
  one.services.processes.handle('probe', () => void performed++)
  const commands = store.records<unknown>('commands', { listed: true })
  const stamp = (n: number) => `000000000000001-${String(n).padStart(12, '0')}`
  const sound = { kind: 'probe', from: 'x', input: {} }
  const hostile = [
    null,
    'text',
    [],
    { ...sound, kind: 'constructor' },
    { ...sound, kind: '__proto__' },
    { ...sound, kind: 7 },
    { ...sound, from: undefined },
    { ...sound, from: id },
    { ...sound, to: 'another' },
    { ...sound, input: 'text' },
    { ...sound, extra: 1 },
    { kind: 'drain', from: 'x', input: { everything: 'yes' } },
    { kind: 'cancel', from: 'x', input: { id: { $gt: '' } } },
  ]
  for (const [index, record] of hostile.entries()) await commands.set(stamp(index), record)
  await commands.set('not-an-id', sound)
  await commands.set(stamp(100), sound)
  await until(() => performed > 0)
  // The same record again, and a second time in the list, is one command.
  await commands.set(stamp(100), sound)
  await commands.set(stamp(101), { ...sound, kind: 'unknown' })
  const outcomes = await one.services.processes.broadcast({ kind: 'probe' })
  expect(outcomes).toEqual([{ processId: id, status: 'DONE', result: null }])
  expect(performed).toBe(2)
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
    ... on Invalid { problems { path message fix } }
    ... on ReloadConfigurationSuccess { processes { processId status problems { path } } } } }`
  await until(async () => (await processesOf(one)).processes.length === 2)
  const refused = await one.graph<Record<string, object>>(reload, {}, 'operator')
  expect(refused.data['reloadConfiguration']).toEqual({ __typename: 'Invalid', problems })
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

test('pulse adds the processes, and a process that does not answer is named', async () => {
  const store = openMemoryStore()
  await using one = await startReplica(store, 'http://127.0.0.1:9')
  const { services } = one
  const processes = store.records<object>('processes', { listed: true })
  const own = (await processes.get(services.processes.id))!
  const at = services.now() - (services.now() % 5_000) - 5_000
  const sample = { at, calls: 3, failures: 1, outputs: 2, outputMs: 100, inFlight: 4 }
  for (const id of ['x', 'y']) {
    await processes.set(id, { ...own, id, pulse: [{ ...sample, at: 1 }, sample] })
  }
  await until(async () => (await processesOf(one)).processes.length === 3)
  const query = '{ pulse(minutes: 1) { at calls failures firstOutputMs inFlight processId } }'
  const { data, errors } = await one.graph<{ pulse: object[] }>(query, {}, 'viewer')
  expect(errors).toEqual([])
  expect(data.pulse).toContainEqual({
    at: new Date(at).toISOString(),
    calls: 6,
    failures: 2,
    firstOutputMs: 50,
    inFlight: 8,
    processId: 'all',
  })
  const outside = await one.graph('{ pulse(minutes: 11) { at } }')
  expect(outside.errors[0]?.extensions?.code).toBe('BAD_USER_INPUT')

  // Neither x nor y exists: their records are all that is left of them.
  const response = await fetch(`${one.adminUrl}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${one.token('viewer')}` },
    body: '{"query":"{ exchanges { id } }"}',
  })
  expect(await response.json()).toMatchObject({ extensions: { unanswered: ['x', 'y'] } })
})
