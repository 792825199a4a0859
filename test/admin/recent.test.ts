import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { expect, test } from 'vitest'

import type { Ended } from '../../src/contract/exchange.ts'
import { startSandbox } from '../../src/sandbox/index.ts'
import { until } from '../../src/testing/until.ts'
import { type Page, nodesOf, startAdminGateway } from './admin-gateway.ts'

/** Collects garbage, so that what remains is held. Returns the bytes of the heap. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let times = 0; times < 3; times++) collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

test('the memory of ended exchanges holds no name of a model longer than it shows', async () => {
  await using sandbox = await startSandbox()
  const account = {
    id: 'a',
    provider: 'sandbox',
    baseUrl: sandbox.url,
    apiKey: 'sandbox-key-a',
    models: ['*'],
  }
  await using gateway = await startAdminGateway({ accounts: [account] })
  const call = async (model: string) => {
    const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
    })
    await reply.text()
  }
  const long = (index: number) => `${index}-${'m'.repeat(1_000_000)}`
  await call(long(-1))
  const before = heldBytes()
  for (let index = 0; index < 64; index++) await call(long(index))
  // Before they are shown: an answer would copy them.
  await until(() => heldBytes() - before < 24_000_000)
  const query = '{ recent(first: 100) { edges { node { model } } } }'
  const shown = await gateway.graph<{ recent: Page<{ model: string | null }> }>(query)
  expect(nodesOf(shown.data.recent).map(({ model }) => model?.length ?? 0)).toContain(203)
})

/** An exchange that has just been received. */
function beginning(id: string, keyId?: string): Ended {
  return {
    id,
    receivedAt: performance.now(),
    ...(keyId !== undefined && { caller: { keyId } }),
    progress: {
      attempts: 0,
      former: [],
      failed: [],
      left: [],
      streamed: false,
      bytesIn: 0,
      bytesOut: 0,
      slot: -1,
    },
  } as unknown as Ended
}

test('requests without a valid key hide none of the exchanges of keys', async () => {
  await using gateway = await startAdminGateway()
  const call = async (key: string) => {
    const headers = { authorization: `Bearer ${key}` }
    const reply = await fetch(`${gateway.url}/v1/models`, { headers })
    await reply.arrayBuffer()
    return reply.status
  }
  const flood = async (count: number) => {
    for (let sent = 0; sent < count; sent += 50) {
      const statuses = await Promise.all(Array.from({ length: 50 }, () => call('wrong')))
      // Beyond the rate of wrong keys, 429.
      for (const status of statuses) expect([401, 429]).toContain(status)
    }
  }
  expect(await call(gateway.key)).toBe(200)
  await flood(1_000)
  expect(await call(gateway.key)).toBe(200)
  await flood(50)
  const { monitor } = gateway.services.processes
  await until(() => monitor.inFlight.length === 0)
  const ended = [...monitor.recent()]
  // The newest first, of all askers.
  expect(ended.map(({ keyId }) => keyId)).toEqual([
    ...Array.from({ length: 50 }, () => undefined),
    'test',
    ...Array.from({ length: 50 }, () => undefined),
    'test',
  ])
  const query = '{ recent(first: 100, filter: {keyId: "test"}) { edges { node { id } } } }'
  const shown = await gateway.graph<{ recent: Page<{ id: string }> }>(query)
  expect(nodesOf(shown.data.recent)).toHaveLength(2)
})

test('requests without a valid key hide no exchange in flight', async () => {
  await using gateway = await startAdminGateway()
  const { monitor } = gateway.services.processes
  const begin = (id: string, keyId?: string) => monitor.begin(beginning(id, keyId))
  for (let id = 0; id < 250; id++) begin(`without-${id}`)
  begin('call', 'test')
  const { data } = await gateway.graph<{ exchanges: { id: string }[] }>('{ exchanges { id } }')
  expect(data.exchanges).toHaveLength(200)
  expect(data.exchanges).toContainEqual({ id: 'call' })
})

test('a list of calls in flight that is cut says of how many, and one that is whole says nothing', async () => {
  await using gateway = await startAdminGateway()
  const { monitor } = gateway.services.processes
  const begin = (id: string, keyId: string) => monitor.begin(beginning(id, keyId))
  const ask = async (filter = '') =>
    await gateway.graph<{ flying: object[] }>(`{ flying: exchanges${filter} { id } }`)
  const cut = (shown: number, all: number) => ({
    incomplete: [{ field: 'flying', reason: `The field shows ${shown} of ${all}: the oldest.` }],
  })
  for (let id = 0; id < 200; id++) begin(`call-${id}`, id < 7 ? 'few' : 'test')
  expect((await ask()).extensions).toEqual({})
  for (let id = 200; id < 512; id++) begin(`call-${id}`, 'test')
  const all = await ask()
  expect(all.data.flying).toHaveLength(200)
  expect(all.extensions).toEqual(cut(200, 512))
  // Of those that match, and no others.
  expect((await ask('(filter: {keyId: "test"})')).extensions).toEqual(cut(200, 505))
  expect((await ask('(filter: {keyId: "few"})')).extensions).toEqual({})
})

test('a page of ended exchanges skips none whose end was noted late', async () => {
  await using gateway = await startAdminGateway()
  const { monitor } = gateway.services.processes
  const end = (id: string, durationMs: number) => {
    const exchange = {
      id,
      receivedAt: performance.now(),
      progress: {
        attempts: 1,
        former: [],
        failed: [],
        left: [],
        streamed: false,
        bytesIn: 0,
        bytesOut: 0,
        slot: -1,
      },
    } as unknown as Ended
    monitor.begin(exchange)
    monitor.end(exchange, { status: 200, end: 'complete', durationMs })
  }
  end('first', 5_000)
  end('second', 1)
  end('third', 1_000)
  const query = `query ($after: String) { recent(first: 1, after: $after) {
    edges { node { id } } pageInfo { hasNextPage endCursor } } }`
  const ids: string[] = []
  for (let after: string | null = null; ;) {
    const page: Page<{ id: string }> = (
      await gateway.graph<{ recent: Page<{ id: string }> }>(query, { after })
    ).data.recent
    ids.push(...nodesOf(page).map(({ id }) => id))
    if (!page.pageInfo.hasNextPage) break
    after = page.pageInfo.endCursor
  }
  expect(ids).toEqual(['first', 'third', 'second'])
})

test('a question that is too long is refused, and no process fails at it', async () => {
  await using gateway = await startAdminGateway()
  const long = 'x'.repeat(600)
  const questions = [
    `{ recent(after: "${long}") { edges { node { id } } } }`,
    `{ recent(filter: { model: "${long}" }) { edges { node { id } } } }`,
    `{ exchanges(filter: { keyId: "${long}" }) { id } }`,
  ]
  for (const question of questions) {
    const { errors, extensions } = await gateway.graph(question, {}, 'viewer')
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }])
    expect(extensions).toEqual({})
  }
  expect(gateway.log).toEqual([])
})

test.each(['audit', 'recent'])('a cursor of another list is an error of `%s`', async (list) => {
  await using gateway = await startAdminGateway()
  const listing = `query ($after: String) { ${list}(first: 1, after: $after) {
    edges { cursor } pageInfo { endCursor } } }`
  const ask = async (after: string | null) => {
    const { errors } = await gateway.graph(listing, { after })
    return errors.map(({ extensions }) => extensions?.code)
  }
  await gateway.graph('mutation { reloadConfiguration(input: {}) { __typename } }')
  const headers = { authorization: `Bearer ${gateway.key}` }
  await (await fetch(`${gateway.url}/v1/models`, { headers })).arrayBuffer()
  await until(async () => {
    const { data } = await gateway.graph<Record<string, Page<object>>>(listing)
    return data[list]?.edges.length === 1
  })
  const { data } = await gateway.graph<Record<string, Page<object>>>(listing)
  expect(await ask(data[list]?.pageInfo.endCursor ?? '')).toEqual([])
  for (const foreign of ['zz', '', '9', 'WyJhIiwiYiJd', `${'9'.repeat(15)}-`]) {
    expect({ foreign, codes: await ask(foreign) }).toEqual({ foreign, codes: ['BAD_USER_INPUT'] })
  }
})
