import { expect, test } from 'vitest'

import type { LedgerRow } from '../../src/contract/ledger-row.ts'
import { startFakeAccount, answerJson } from '../../src/testing/fake-account.ts'
import { until } from '../../src/testing/until.ts'
import { ledgerRow as row } from '../history/ledger-row.ts'
import { answers, costOfReply, fails, reply } from '../history/stage.ts'
import { type AdminGateway, type Page, nodesOf, startAdminGateway } from './admin-gateway.ts'

const day = 24 * 60 * 60_000
const minute = 60_000

interface Usage {
  readonly rows: readonly Record<string, unknown>[]
  readonly totals: Record<string, unknown>
}

const members = 'key team model account start calls failures retries inputTokens cost unpricedCalls'

function usageOf(gateway: AdminGateway, args: string) {
  return gateway
    .graph<{ usage: Usage }>(`{ usage(${args}) { rows { ${members} } totals { calls cost } } }`)
    .then(({ data, errors }) => ({ usage: data?.usage, errors }))
}

const iso = (at: number) => JSON.stringify(new Date(at).toISOString())
const now = () => `from: ${iso(Date.now() - minute)}, to: ${iso(Date.now() + minute)}`

async function append(gateway: AdminGateway, rows: readonly LedgerRow[]): Promise<void> {
  const id = `batch-${Math.random()}`
  await gateway.running.store.ledger().append({ id, rows, counts: [] })
}

test('what calls have used, by key, model and account, with failovers and refusals', async () => {
  await using broken = await startFakeAccount(fails)
  await using good = await startFakeAccount(answers)
  const shared = { provider: 'openai', apiKey: 'sk-canary', models: ['gpt-a', 'gpt-b'] }
  await using gateway = await startAdminGateway({
    accounts: [
      { ...shared, id: 'a', baseUrl: `${broken.url}/v1`, priority: 0 },
      { ...shared, id: 'b', baseUrl: `${good.url}/v1`, priority: 1 },
    ],
    prices: { 'gpt-a': { rates: { input: '2', output: '8' } } },
  })
  const call = async (model: string) => {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
    })
    await response.arrayBuffer()
    return { status: response.status, id: response.headers.get('x-request-id')! }
  }
  const first = await call('gpt-a')
  expect(first.status).toBe(200)
  expect((await call('gpt-b')).status).toBe(200)
  expect((await call('missing')).status).toBe(404)
  await until(async () => {
    const { usage } = await usageOf(gateway, now())
    return usage?.totals['calls'] === 3
  })
  const { usage } = await usageOf(gateway, `${now()}, by: [MODEL, ACCOUNT]`)
  const shown = usage.rows.map(
    ({ model, account, calls, failures, retries, cost, unpricedCalls }) => [
      model,
      account,
      calls,
      failures,
      retries,
      cost,
      unpricedCalls,
    ],
  )
  expect(new Set(shown.map(String))).toEqual(
    new Set(
      [
        ['gpt-a', 'a', 0, 0, 1, '0', 0],
        ['gpt-a', 'b', 1, 0, 0, '0.00028', 0],
        ['gpt-b', 'a', 0, 0, 1, '0', 0],
        ['gpt-b', 'b', 1, 0, 0, '0', 1],
        ['', '', 1, 1, 0, '0', 0],
      ].map(String),
    ),
  )
  expect(usage.totals).toEqual({ calls: 3, cost: '0.00028' })
  expect(costOfReply).toBe(280_000)

  const { data } = await gateway.graph<{
    exchange: { ended: object | null; ledger: { accountId: string; cost: string | null }[] }
    ledger: Page<{ exchangeId: string; attempt: number }>
    recent: Page<{ id: string }>
    none: null
  }>(`{
    exchange(id: "${first.id}") { ended { status attemptCount cost } ledger { accountId cost } }
    none: exchange(id: "req_none") { id }
    ledger(filter: {outcome: [RETRIED], model: "gpt-a"}) { edges { node { exchangeId attempt } } }
    recent(filter: {outcome: [RETRIED], triedAccountId: "a", from: ${iso(Date.now() - minute)}}) { edges { node { id } } }
  }`)
  expect(data.exchange.ended).toEqual({ status: 200, attemptCount: 2, cost: '0.00028' })
  expect(data.exchange.ledger).toEqual([
    { accountId: 'a', cost: '0' },
    { accountId: 'b', cost: '0.00028' },
  ])
  expect(data.none).toBeNull()
  expect(nodesOf(data.ledger)).toEqual([{ exchangeId: first.id, attempt: 2 }])
  expect(nodesOf(data.recent).map(({ id }) => id)).toContain(first.id)
  expect(nodesOf(data.recent)).toHaveLength(2)
})

test('units that are no tokens have sums of their own', async () => {
  await using gateway = await startAdminGateway({})
  const units = { searches: 2, images: 3, videoSeconds: 4, audioSeconds: 5, characters: 6 }
  await append(gateway, [row({ at: Date.now(), tokens: units })])
  const names = Object.keys(units).join(' ')
  const { data } = await gateway.graph<{ usage: Usage }>(
    `{ usage(${now()}) { rows { ${names} } totals { calls } } }`,
  )
  expect(data.usage.rows).toEqual([units])
})

test('a time without a gateway is a gap of a series, and one without calls is 0', async () => {
  await using gateway = await startAdminGateway()
  const at = Math.floor(Date.now() / minute) * minute - 30 * minute
  const count = { begun: 1, counted: 1 }
  await gateway.running.store.ledger().append({
    id: 'batch',
    rows: [1, 2, 3].map((index) => row({ at: at + index })),
    counts: [
      { at, sums: count },
      { at: at + minute, sums: count },
      { at: at + 3 * minute, sums: { ...count, lost: 1 } },
      { at: at + 4 * minute, sums: { begun: 1 } },
    ],
  })
  const ask = (metric: string, more = '') =>
    gateway.graph<{ series: { lines: { label: string; points: { value: number | null }[] }[] } }>(
      `{ series(metric: ${metric}, from: ${iso(at)}, to: ${iso(at + 5 * minute)}, step: MINUTE${more}) {
        lines { label points { at value complete } } } }`,
    )
  const values = async (metric: string, more = '') =>
    (await ask(metric, more)).data.series.lines.map(({ label, points }) => [
      label,
      ...points.map(({ value }) => value),
    ])
  expect(await values('CALLS')).toEqual([['all', 3, 0, null, null, null]])
  expect(await values('COST', ', by: KEY')).toEqual([['test', 0.000003, 0, null, null, null]])
  const [times] = await values('FIRST_OUTPUT_P95')
  expect(times?.slice(2)).toEqual([null, null, null, null])
  expect(times?.[1]).toBeGreaterThan(50)
  expect(times?.[1]).toBeLessThanOrEqual(100)
  for (const more of [', top: 9', ', by: [KEY, MODEL]', ', by: HOUR']) {
    const { errors } = await ask('CALLS', more)
    expect(errors[0]?.extensions?.code).toBe('BAD_USER_INPUT')
  }
})

test('lines beyond the eight largest are one line, and no sum is lost', async () => {
  await using gateway = await startAdminGateway()
  const rows = Array.from({ length: 12 }, (_, key) =>
    Array.from({ length: key + 1 }, () => row({ keyId: `key-${key}` })),
  ).flat()
  await append(gateway, rows)
  const { data } = await gateway.graph<{
    series: { lines: { label: string; isOther: boolean; points: { value: number | null }[] }[] }
  }>(`{ series(metric: CALLS, by: KEY, ${now()}) { lines { label isOther points { value } } } }`)
  const { lines } = data.series
  expect(lines).toHaveLength(9)
  expect(lines.map(({ isOther }) => isOther)).toEqual([...Array<boolean>(8).fill(false), true])
  const total = lines
    .flatMap(({ points }) => points)
    .reduce((sum, { value }) => sum + (value ?? 0), 0)
  expect(total).toBe(rows.length)
})

test('pitfall 11: usage of months reads days and hours, and costs beyond the numbers of JavaScript stay exact', async () => {
  await using gateway = await startAdminGateway()
  const most = Number.MAX_SAFE_INTEGER
  const today = Math.floor(Date.now() / day) * day
  for (let back = 1; back <= 120; back += 7)
    await append(gateway, [row({ at: today - back * day + 5, costNano: most })])
  const args = `from: ${iso(today - 130 * day)}, to: ${iso(today)}, by: [DAY]`
  const { usage } = await usageOf(gateway, args)
  expect(usage.rows).toHaveLength(18)
  const whole = String(BigInt(most) * 18n)
  expect(usage.totals['cost']).toBe(`${whole.slice(0, -9)}.${whole.slice(-9)}`)
  const wrong = await usageOf(gateway, `from: ${iso(today)}, to: ${iso(today - 1)}`)
  expect(wrong.errors[0]?.extensions?.code).toBe('BAD_USER_INPUT')
})

test('exports have all rows, need a token, and no name becomes a formula', async () => {
  await using gateway = await startAdminGateway({ keys: [{ id: 'test', secret: 'test-secret' }] })
  const hostile = ['=1+1', '+cmd|x', '-2', '@sum', '"quoted", and', '\t=x']
  const rows = hostile.map((model) => row({ model }))
  await append(gateway, rows)
  await append(
    gateway,
    Array.from({ length: 1_200 }, (_, index) => row({ at: Date.now() - index })),
  )
  const fetchAs = (path: string, token?: string) =>
    fetch(`${gateway.adminUrl}${path}`, {
      ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
    })
  for (const path of ['/ledger.ndjson', '/usage.csv']) {
    expect((await fetchAs(path)).status).toBe(401)
    expect((await fetchAs(path, 'test-secret')).status).toBe(401)
  }
  const viewer = gateway.token('viewer')
  const ledger = await fetchAs('/ledger.ndjson', viewer)
  expect(ledger.headers.get('content-type')).toBe('application/x-ndjson')
  const lines = (await ledger.text()).trimEnd().split('\n')
  expect(lines).toHaveLength(1_206)
  expect(new Set(lines.map((line) => (JSON.parse(line) as LedgerRow).exchange)).size).toBe(1_206)
  const csv = await fetchAs('/usage.csv?by=model', viewer)
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const cells = (await csv.text()).trimEnd().split('\r\n')
  expect(cells[0]).toMatch(/^model,calls,failures,.*,cost_usd$/)
  const names = cells.slice(1).map((line) => line.replace(/(?:,[\d.]+)+$/, ''))
  expect(new Set(names)).toEqual(
    new Set(["'=1+1", "'+cmd|x", "'-2", "'@sum", '"""quoted"", and"', "'\t=x", 'gpt-a']),
  )
  expect(cells.find((line) => line.startsWith('gpt-a'))).toMatch(/^gpt-a,1200,.*,0\.0012$/)
  for (const query of ['?by=nothing', '?from=yesterday'])
    expect((await fetchAs(`/usage.csv${query}`, viewer)).status).toBe(400)
  const { data } = await gateway.graph<{ audit: Page<{ action: string }> }>(
    '{ audit { edges { node { action } } } }',
  )
  const acts = nodesOf(data.audit).map(({ action }) => action)
  expect(acts).toEqual(expect.arrayContaining(['ledger.export', 'usage.export']))
})

test('an account whose reply is no usage leaves the cost unknown, never 0', async () => {
  const { usage: _, ...silent } = reply
  const prices = { 'gpt-a': { rates: { input: '2', output: '8' } } }
  await using account = await startFakeAccount(answerJson(silent))
  await using gateway = await startAdminGateway({
    prices,
    accounts: [
      {
        id: 'a',
        provider: 'openai',
        apiKey: 'sk-a',
        baseUrl: `${account.url}/v1`,
        models: ['gpt-a'],
      },
    ],
  })
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-a', messages: [{ role: 'user', content: 'hi' }] }),
  })
  expect(response.status).toBe(200)
  const ask = () =>
    gateway.graph<{ ledger: Page<{ usage: string; cost: string | null }> }>(
      '{ ledger { edges { node { usage cost } } } }',
    )
  await until(async () => nodesOf((await ask()).data.ledger).length === 1)
  const [row] = nodesOf((await ask()).data.ledger)
  expect(['ESTIMATED', 'UNKNOWN']).toContain(row?.usage)
  if (row?.usage === 'UNKNOWN') expect(row.cost).toBeNull()
  else expect(Number(row?.cost)).toBeGreaterThan(0)
})
