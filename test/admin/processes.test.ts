import { expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { breakable } from '../../src/testing/breakable-store.ts'
import { until } from '../../src/testing/until.ts'
import { type Page, nodesOf } from './admin-gateway.ts'
import { call, processesOf, startReplica } from './replicas.ts'

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
    store: { kind: 'MEMORY', reachable: true },
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
      exclusions: [{ kind: 'COOLING', status: 429, until: expect.any(String) as string }],
    })
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
  expect(nodesOf(data.recent)).toContainEqual({ processId: one.services.processes.id })
  // The other one answers, also while the store is away.
  expect(extensions).toEqual({ storeAway: true })

  store.broken.reads = store.broken.writes = false
  await until(async () => (await processesOf(one)).processesComplete)
  expect((await processesOf(one)).processes.map(({ stale }) => stale)).toEqual([false, false])
})

test('hostile and damaged records hide no process', async () => {
  await using sandbox = await startSandbox()
  const store = openMemoryStore()
  await using one = await startReplica(store, sandbox.url)
  const { id } = one.services.processes
  const processes = store.records<unknown>('processes', { listed: true })
  const forged = { ...((await processes.get(id)) as object) }
  await processes.set('..bad', 7)
  await processes.set('half', { id: 'half' })
  await processes.set('other-name', forged)
  await processes.set('stolen', { ...forged, id: 'elsewhere' })
  await processes.set('huge', { ...forged, id: 'huge', startedAt: 1e300 })
  const seen = await processesOf(one)
  expect(seen.processes.map((each) => each.id)).toEqual([id])
  expect(seen).toMatchObject({ processesComplete: false, store: { reachable: true } })
})

test('pulse adds the processes, and a process that does not answer is named', async () => {
  const store = openMemoryStore()
  await using one = await startReplica(store, 'http://127.0.0.1:9')
  const { services } = one
  const processes = store.records<object>('processes', { listed: true })
  const own = (await processes.get(services.processes.id))!
  const now = services.now()
  const at = now - (now % 5_000) - 5_000
  const sums = { calls: 3, serverError: 1, clientError: 1, first4: 2, costNano: 5 }
  const sample = { at, inFlight: 4, sums }
  await using resources = new AsyncDisposableStack()
  // The clock of the second is three hours ahead.
  for (const [id, ahead] of [
    ['x', 0],
    ['y', 3 * 3_600_000],
  ] as const) {
    await processes.set(id, { ...own, id })
    const bus = await store.openBus(id, () => {})
    resources.defer(() => bus.close())
    bus.listen({
      onGap() {},
      onMessage(text) {
        const { from, command, kind } = JSON.parse(text) as Record<string, string>
        if (kind !== 'pulse') return
        const samples = [
          { ...sample, at: 1 },
          { ...sample, at: at + ahead },
        ]
        const result = { now: now + ahead, samples }
        const answer = { to: from, from: id, sent: 0, answer: command, status: 'DONE', result }
        bus.publish(JSON.stringify(answer), from)
      },
    })
  }
  await until(async () => (await services.processes.view()).processes.length === 3)
  const query =
    '{ pulse(minutes: 1) { at calls failures clientErrors firstOutputP50 cost inFlight processes } }'
  const { data, errors } = await one.graph<{ pulse: object[] }>(query, {}, 'viewer')
  expect(errors).toEqual([])
  expect(data.pulse).toContainEqual({
    at: new Date(at).toISOString(),
    calls: 6,
    failures: 2,
    clientErrors: 2,
    firstOutputP50: 125,
    cost: '0.00000001',
    inFlight: 8,
    processes: 2,
  })
  const outside = await one.graph('{ pulse(minutes: 11) { at } }')
  expect(outside.errors[0]?.extensions?.code).toBe('BAD_USER_INPUT')

  const { extensions } = await one.graph('{ exchanges { id } }', {}, 'viewer')
  const reason = '2 processes did not answer in full: x, y.'
  expect(extensions).toEqual({ incomplete: [{ field: 'exchanges', reason }] })
})
