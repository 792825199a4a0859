import { expect, test } from 'vitest'

import type { Ended } from '../../src/contract/exchange.ts'
import { startSandbox } from '../../src/sandbox/index.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { until } from '../../src/testing/until.ts'
import {
  type AdminGateway,
  type GraphAnswer,
  type Page,
  nodesOf,
  startAdminGateway,
} from './admin-gateway.ts'
import { call, startReplica } from './replicas.ts'

interface Detail {
  readonly id: string
  readonly attempts: {
    readonly number: number
    readonly accountId: string
    readonly startedMs: number | null
    readonly firstByteMs: number | null
    readonly endedMs: number | null
  }[]
  readonly excluded: { readonly accountId: string; readonly reason: string }[]
}

const detail = `id processId startedAt endedAt durationMs firstOutputMs keyId team dialect operation model accountId
  stream status end error bytesIn bytesOut inputTokens outputTokens usage cost uncosted jobId resourceId traceId attemptCount
  attempts { number accountId dialect native model upstreamModel startedMs firstByteMs endedMs status
    reusedConnection outcome error fault }
  route { requested resolved alias rule pinned
    fallbacks { model next on error excluded { accountId by } } }
  excluded { accountId by reason field until status } excludedOmitted
  losses { field reason } lossesOmitted`

async function recentOf(gateway: AdminGateway, first = 50): Promise<Detail[]> {
  const query = `{ recent(first: ${first}) { edges { node { ${detail} } } pageInfo { hasNextPage endCursor } } }`
  const { data, errors } = await gateway.graph<{ recent: Page<Detail> }>(query, {}, 'viewer')
  expect(errors).toEqual([])
  return nodesOf(data.recent)
}

/** The detail of the last of so many exchanges. */
async function lastOf(gateway: AdminGateway, count: number): Promise<Detail> {
  await until(async () => (await recentOf(gateway)).length === count)
  const [last] = await recentOf(gateway)
  return last!
}

const plain = {
  route: { alias: false, rule: 'priority and weight', pinned: false, fallbacks: [] },
  excluded: [],
  excludedOmitted: 0,
  losses: [],
  lossesOmitted: 0,
}

test('a call that nobody could serve says which accounts were left out, and why', async () => {
  const accountOf = (index: number) => ({
    id: `full-${index}`,
    provider: 'sandbox',
    baseUrl: 'http://127.0.0.1:9',
    apiKey: `sandbox-key-${index}`,
    models: ['m'],
    enabled: index > 0,
  })
  const accounts = Array.from({ length: 13 }, (_, index) => accountOf(index))
  await using gateway = await startAdminGateway({
    accounts,
    aliases: { fast: 'm' },
    plugins: [
      {
        name: 'closed',
        onCandidates: ({ candidates }) =>
          candidates.map(() => ({ excluded: { by: 'closed', reason: 'it is night' } })),
      },
    ],
  })
  const reply = await call(gateway, 'fast')
  expect(reply.status).toBe(503)
  const found = await lastOf(gateway, 1)
  expect(found).toMatchObject({
    error: 'no_account_available',
    attemptCount: 0,
    attempts: [],
    accountId: null,
    usage: 'NONE',
    cost: '0',
    route: { requested: 'fast', resolved: 'm', alias: true, fallbacks: [] },
    excludedOmitted: 3,
  })
  expect(found.excluded).toHaveLength(10)
  expect(found.excluded[0]).toMatchObject({ by: 'closed', reason: 'it is night' })
})

test('a call that another account saved shows each attempt with its times and who caused its end', async () => {
  await using sandbox = await startSandbox()
  const accounts = ['a', 'b'].map((id, priority) => ({
    id,
    provider: 'sandbox',
    baseUrl: sandbox.url,
    apiKey: `sandbox-key-${id}`,
    models: { model: id === 'a' ? 'sandbox/status=500' : 'sandbox/echo' },
    priority,
  }))
  await using gateway = await startAdminGateway({ accounts })
  expect((await call(gateway, 'model')).status).toBe(200)
  const found = await lastOf(gateway, 1)
  expect(found).toMatchObject({
    accountId: 'b',
    attemptCount: 2,
    status: 200,
    error: null,
    route: { requested: 'model', resolved: 'model', alias: false },
    usage: 'REPORTED',
    attempts: [
      {
        number: 1,
        accountId: 'a',
        dialect: 'chat',
        native: true,
        model: 'model',
        upstreamModel: 'sandbox/status=500',
        status: 500,
        outcome: 'FAILED',
        error: 'upstream_rejected',
        fault: 'ACCOUNT',
      },
      {
        number: 2,
        accountId: 'b',
        upstreamModel: 'sandbox/echo',
        status: 200,
        outcome: 'COMPLETED',
        error: null,
        fault: 'NONE',
      },
    ],
  })
  for (const { startedMs, firstByteMs, endedMs } of found.attempts) {
    expect(startedMs).not.toBeNull()
    expect(firstByteMs).toBeGreaterThanOrEqual(startedMs!)
    expect(endedMs).toBeGreaterThanOrEqual(firstByteMs!)
  }
})

test('a translated call shows what was lost, and a plain one its only attempt', async () => {
  await using sandbox = await startSandbox()
  const accounts = [
    {
      id: 'other',
      provider: 'anthropic',
      baseUrl: sandbox.url,
      apiKey: 'sandbox-key-a',
      models: { other: 'sandbox/echo' },
    },
    {
      id: 'own',
      provider: 'sandbox',
      baseUrl: sandbox.url,
      apiKey: 'sandbox-key-a',
      models: ['sandbox/*'],
    },
  ]
  await using gateway = await startAdminGateway({ accounts })
  const send = (model: string) =>
    fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, seed: 1, messages: [{ role: 'user', content: 'hi' }] }),
    })
  const reply = await send('other')
  expect([reply.status, reply.headers.get('x-dragoman-losses')]).toEqual([200, 'seed'])
  expect(await lastOf(gateway, 1)).toMatchObject({
    attempts: [{ dialect: 'messages', native: false, upstreamModel: 'sandbox/echo' }],
    losses: [{ field: 'seed', reason: expect.stringMatching(/\w/) as string }],
    lossesOmitted: 0,
  })

  await send('sandbox/echo')
  const first = await lastOf(gateway, 2)
  const { route, ...rest } = plain
  expect(first).toMatchObject({
    ...rest,
    route: { ...route, requested: 'sandbox/echo', resolved: 'sandbox/echo' },
    attempts: [{ number: 1, accountId: 'own', outcome: 'COMPLETED', fault: 'NONE' }],
  })
})

/** An exchange that has tried ten accounts, as far as the monitor reads it. */
function longExchange(id: string): Ended {
  const candidate = {
    account: { id: 'a'.repeat(100) },
    dialect: { id: 'chat' },
    native: true,
    upstreamModel: 'u'.repeat(150),
  }
  const former = Array.from({ length: 10 }, (_, index) => ({
    number: index + 1,
    model: { name: 'm'.repeat(150) },
    candidate,
    isReused: false,
    losses: [],
  }))
  return {
    id,
    receivedAt: performance.now(),
    caller: { keyId: 'k' },
    progress: { attempts: 10, former, failed: [], left: [], bytesIn: 0, bytesOut: 0, slot: -1 },
  } as unknown as Ended
}

test('a page of several processes is whole, also where a message has no room for all that it says', async () => {
  const store = openMemoryStore()
  await using one = await startReplica(store, 'http://127.0.0.1:9')
  await using other = await startReplica(store, 'http://127.0.0.1:9')
  for (let index = 0; index < 90; index++) {
    for (const { services } of [one, other]) {
      const { monitor, id } = services.processes
      const exchange = longExchange(`${id}-${index}`)
      monitor.begin(exchange)
      monitor.end(exchange, { status: 200, end: 'complete', durationMs: index })
    }
  }
  const query = `query ($after: String) { recent(first: 100, after: $after) {
    edges { node { id attempts { upstreamModel } } } pageInfo { hasNextPage endCursor } } }`
  const seen: string[] = []
  const sizes: number[] = []
  let after: string | null = null
  do {
    const answer: GraphAnswer<{ recent: Page<{ id: string }> }> = await one.graph(query, { after })
    expect([answer.errors, answer.extensions.incomplete]).toEqual([[], undefined])
    const ids = nodesOf(answer.data.recent).map(({ id }) => id)
    seen.push(...ids)
    sizes.push(ids.length)
    const { hasNextPage, endCursor }: Page<object>['pageInfo'] = answer.data.recent.pageInfo
    after = hasNextPage ? endCursor : null
  } while (after !== null && sizes.length < 20)
  expect([seen.length, new Set(seen).size]).toEqual([180, 180])
  // Else the messages had room.
  expect(sizes[0]).toBeLessThan(100)
})

test('an exchange in flight shows its stage, and the tokens of its stream so far', async () => {
  await using sandbox = await startSandbox()
  await using gateway = await startReplica(openMemoryStore(), sandbox.url)
  interface Live {
    readonly id: string
    readonly stage: string
    readonly outputTokens: number | null
  }
  const liveOf = async () => {
    const query = `{ exchanges { id stage outputTokens route { resolved rule }
      attempts { accountId startedMs endedMs outcome } } }`
    return (await gateway.graph<{ exchanges: Live[] }>(query)).data.exchanges
  }
  const waiting = call(gateway, 'sandbox/stall=0', true)
  await until(async () => (await liveOf())[0]?.stage === 'WAITING')
  expect(await liveOf()).toMatchObject([
    {
      outputTokens: expect.toBeOneOf([0, null]) as number,
      route: { resolved: 'sandbox/stall=0', rule: 'priority and weight' },
      attempts: [{ accountId: 'a', endedMs: null, outcome: null }],
    },
  ])
  const streaming = await call(gateway, 'sandbox/words=5000+pace=20', true)
  const id = streaming.headers.get('x-request-id')
  const streamed = async () => (await liveOf()).find((one) => one.id === id)
  await until(async () => ((await streamed())?.outputTokens ?? 0) > 3)
  const before = (await streamed())!
  expect(before.stage).toBe('REPLYING')
  await until(async () => (await streamed())!.outputTokens! > before.outputTokens!)
  for (const each of await liveOf())
    await gateway.graph(
      `mutation ($id: ID!) { cancelExchange(input: {id: $id, reason: "test"}) { __typename } }`,
      { id: each.id },
    )
  await Promise.all([streaming.text(), (await waiting).text()])
})
