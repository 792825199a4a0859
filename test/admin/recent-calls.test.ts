import { expect, test } from 'vitest'

import { RecentCalls, addCalls, noCalls } from '../../src/admin/processes/recent-calls.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { until } from '../../src/testing/until.ts'
import { type AdminGateway, startAdminGateway } from './admin-gateway.ts'
import { completionOf } from './completion.ts'

const minute = 60_000

test('calls of five minutes ago are no present calls', () => {
  const recent = new RecentCalls()
  recent.count(0, true, undefined)
  recent.count(4 * minute, false, 10)
  expect(recent.sums(4 * minute)).toMatchObject({ calls: 2, failures: 1 })
  expect(recent.sums(5 * minute)).toMatchObject({ calls: 1, failures: 0 })
  expect(recent.sums(20 * minute)).toBe(noCalls)
  // The place of a former minute is used again.
  recent.count(20 * minute, true, 5)
  expect(recent.sums(20 * minute)).toMatchObject({ calls: 1, failures: 1 })
  expect(addCalls(noCalls, recent.sums(20 * minute))).toMatchObject({ calls: 1, failures: 1 })
})

async function call({ url, key }: AdminGateway): Promise<number> {
  const reply = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] }),
  })
  await reply.text()
  return reply.status
}

async function recentOf(gateway: AdminGateway): Promise<object> {
  const { data, errors } = await gateway.graph<{ account: { recentCalls: object } }>(
    '{ account(id: "a") { recentCalls { calls failures p50Ms p95Ms } } }',
    {},
    'viewer',
  )
  expect(errors).toEqual([])
  return data.account.recentCalls
}

test('an account says how many of its calls fail now, whichever process is asked', async () => {
  let number = 0
  await using upstream = await startFakeAccount((response, request) =>
    ++number % 4 === 0
      ? answerJson({ error: { message: 'no' } }, { status: 500 })(response, request)
      : answerJson(completionOf('m'))(response, request),
  )
  const store = openMemoryStore()
  const account = { id: 'a', provider: 'openai', baseUrl: upstream.url, models: ['m'] }
  const options = { store, accounts: [{ ...account, speaks: ['chat'] }] }
  await using one = await startAdminGateway(options)
  await using other = await startAdminGateway(options)
  expect(await recentOf(one)).toEqual({ calls: 0, failures: 0, p50Ms: null, p95Ms: null })
  for (let calls = 0; calls < 8; calls++) await call(one)
  for (let calls = 0; calls < 4; calls++) await call(other)
  const expected = {
    calls: 12,
    failures: 3,
    p50Ms: expect.any(Number) as number,
    p95Ms: expect.any(Number) as number,
  }
  for (const gateway of [one, other]) {
    await until(async () => ((await recentOf(gateway)) as { calls: number }).calls === 12)
    expect(await recentOf(gateway)).toEqual(expected)
  }
})

test('lists say how many there are of each state, whatever their filter', async () => {
  const at = (id: string, enabled = true) => ({
    id,
    provider: 'openai',
    baseUrl: 'http://127.0.0.1:9',
    models: ['m'],
    enabled,
  })
  await using gateway = await startAdminGateway({
    accounts: [at('a'), at('b'), at('off', false)],
    keys: [
      { id: 'test', secret: 'test-secret' },
      { id: 'old', secret: 'old-secret', expiresAt: '2020-01-01T00:00:00Z' },
    ],
  })
  const made = (id: string) =>
    gateway.graph(`mutation { createKey(input: {id: "${id}"}) { __typename } }`)
  for (const id of ['left', 'revoked', 'stopped']) await made(id)
  await gateway.graph(
    'mutation { revokeKey(input: {id: "revoked", reason: "r"}) { __typename } disableKey(input: {id: "stopped", reason: "r"}) { __typename } }',
  )
  const { data, errors } = await gateway.graph(
    `{ accounts(first: 1, filter: {state: DISABLED}) { totalCount countsByState { state count }
        countsByServes { serves count } edges { node { id } } }
      keys(first: 1, filter: {state: EXPIRED}) { totalCount countsByState { state count } } }`,
    {},
    'viewer',
  )
  expect(errors).toEqual([])
  expect(data).toEqual({
    accounts: {
      totalCount: 3,
      countsByState: [
        { state: 'ENABLED', count: 2 },
        { state: 'DISABLED', count: 1 },
      ],
      countsByServes: [
        { serves: 'ALL', count: 2 },
        { serves: 'SOME', count: 0 },
        { serves: 'NOTHING', count: 1 },
      ],
      edges: [{ node: { id: 'off' } }],
    },
    keys: {
      totalCount: 5,
      countsByState: expect.arrayContaining([
        { state: 'ACTIVE', count: 2 },
        { state: 'EXPIRED', count: 1 },
        { state: 'REVOKED', count: 1 },
        { state: 'DISABLED', count: 1 },
      ]) as object,
    },
  })
})
