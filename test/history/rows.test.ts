import { expect, test } from 'vitest'

import type { LedgerRow } from '../../src/contract/ledger-row.ts'
import { startSandbox } from '../../src/sandbox/index.ts'
import { until } from '../../src/testing/until.ts'
import { rowOfJob } from '../../src/history/rows.ts'
import { answers, costOfReply, fails, historyStage } from './stage.ts'

test('a call is a row with its tokens and its cost, and nothing of its content', async () => {
  await using stage = await historyStage([answers], { aliases: { nice: 'gpt-a' } })
  expect(await stage.call('nice')).toBe(200)
  const [row] = await stage.rows(1)
  expect(row).toMatchObject({
    keyId: 'test',
    operation: 'chat.create',
    dialect: 'chat',
    requested: 'nice',
    model: 'gpt-a',
    accountId: 'a',
    upstreamModel: 'gpt-a',
    status: 'completed',
    httpStatus: 200,
    usage: 'reported',
    tokens: { inputTokens: 100, outputTokens: 10 },
    costNano: costOfReply,
    priceVersion: expect.stringMatching(/^file [0-9a-f]{8}$/),
    reply: { status: 200, end: 'complete', stream: false },
  })
  expect(JSON.stringify(row)).not.toMatch(/canary|test-secret|"hi"/)
  expect(Math.abs(row!.at - Date.now())).toBeLessThan(60_000)
})

test('a failover is two rows, one call and one retry', async () => {
  await using stage = await historyStage([fails, answers])
  expect(await stage.call()).toBe(200)
  const rows = await stage.rows(2)
  expect(rows.map(({ attempt, accountId, status }) => [attempt, accountId, status])).toEqual([
    [1, 'a', 'failed'],
    [2, 'b', 'completed'],
  ])
  expect(rows.map(({ reply }) => reply?.status)).toEqual([undefined, 200])
  const sums = await sumsOf(stage)
  expect(sums).toMatchObject({ calls: 1, retries: 1, costNano: costOfReply })
  expect(sums).not.toHaveProperty('serverError')
})

test('calls that are refused before an attempt are in the sums alone', async () => {
  await using stage = await historyStage([answers])
  const wrong = { headers: { authorization: 'Bearer wrong', 'content-type': 'application/json' } }
  for (let count = 0; count < 50; count++) expect(await stage.call('gpt-a', wrong)).toBe(401)
  expect(await stage.call('missing')).toBe(404)
  expect(await stage.call()).toBe(200)
  await stage.rows(1)
  await until(async () => (await sumsOf(stage))['calls'] === 52)
  expect(await sumsOf(stage)).toMatchObject({ calls: 52, clientError: 51 })
  expect(await stage.store.ledger().rows({ limit: 10 })).toHaveLength(1)
})

test('names of models that clients make up are no sums of their own', async () => {
  await using stage = await historyStage([answers])
  for (let index = 0; index < 5; index++) expect(await stage.call(`odd-${index}`)).toBe(200)
  const rows = await stage.rows(5)
  expect(new Set(rows.map(({ model }) => model)).size).toBe(5)
  const models = new Set<string>()
  for await (const page of stage.store.ledger().sums(part('each')))
    for (const { model } of page) models.add(model)
  expect([...models]).toEqual(['odd-*'])
  // A model without a price costs nobody knows what.
  expect(await sumsOf(stage)).toMatchObject({ calls: 5, unpriced: 5 })
})

test('a model that only a pattern takes is a sum of its own if its price is published', async () => {
  await using stage = await historyStage([answers])
  expect(await stage.call('gpt-4.1')).toBe(200)
  const [row] = await stage.rows(1)
  expect(row).toHaveProperty('model', 'gpt-4.1')
  expect(row).not.toHaveProperty('pool')
})

test('history: false writes nothing', async () => {
  await using stage = await historyStage([answers], { history: false })
  expect(await stage.call()).toBe(200)
  await stage.gateway[Symbol.asyncDispose]()
  expect(await stage.store.ledger().rows({ limit: 1 })).toEqual([])
})

test('the end of a gateway waits for its last rows', async () => {
  await using stage = await historyStage([answers])
  for (let index = 0; index < 20; index++) expect(await stage.call()).toBe(200)
  await stage.gateway[Symbol.asyncDispose]()
  expect(await stage.store.ledger().rows({ limit: 100 })).toHaveLength(20)
})

test('a plugin gets the rows, and one that fails or is slow harms nothing', async () => {
  const got: LedgerRow[] = []
  await using stage = await historyStage([answers], {
    plugins: [
      { name: 'warehouse', onLedger: ({ rows }) => void got.push(...rows) },
      {
        name: 'broken',
        onLedger: () => {
          throw new Error('no room')
        },
      },
      { name: 'slow', onLedger: () => new Promise(() => {}) },
    ],
  })
  for (let index = 0; index < 5; index++) expect(await stage.call()).toBe(200)
  const rows = await stage.rows(5)
  await until(() => got.length === 5)
  expect(new Set(got.map(({ exchange }) => exchange))).toEqual(
    new Set(rows.map(({ exchange }) => exchange)),
  )
  expect(stage.gateway.log.map(({ msg }) => msg)).toContain('broken: onLedger failed')
})

function part(of: 'all' | 'each') {
  const day = 24 * 60 * 60_000
  const from = Math.floor(Date.now() / day) * day
  return { step: 'day' as const, from, to: from + day, of }
}

async function sumsOf(stage: Awaited<ReturnType<typeof historyStage>>) {
  for await (const page of stage.store.ledger().sums(part('all')))
    return { ...page[0]?.sums } as Record<string, number>
  return {}
}

test('a video that is over is a row with its cost, which counts once and is no call', async () => {
  await using stage = await historyStage([answers])
  const job = {
    id: 'video_1',
    kind: 'video',
    attempt: 1,
    keyId: 'test',
    accountId: 'a',
    dialect: 'videos',
    model: 'sora',
    status: 'completed' as const,
    createdAt: Math.floor(Date.now() / 1_000) - 60,
    completedAt: Math.floor(Date.now() / 1_000),
  }
  const spend = { usage: 'reported', tokens: { videoSeconds: 4 }, cost: 400_000_000 } as const
  const rows = [rowOfJob(job, spend, Date.now(), 'sora'), rowOfJob(job, spend, 7, 'sora')]
  for (const [index, row] of rows.entries())
    await stage.store.ledger().append({ id: String(index), rows: [row], counts: [] })
  expect(await sumsOf(stage)).toMatchObject({ costNano: 400_000_000, videoSeconds: 4 })
  expect(await sumsOf(stage)).not.toHaveProperty('retries')
  expect(await sumsOf(stage)).not.toHaveProperty('calls')
})

test('the row of a video has no secret of its client, and no more of its model than other rows', async () => {
  await using sandbox = await startSandbox()
  const account = {
    id: 'films',
    provider: 'sandbox',
    baseUrl: sandbox.url,
    apiKey: 'sandbox-key-a',
  }
  await using stage = await historyStage([], { accounts: [{ ...account, models: ['sora-*'] }] })
  const { url, key } = stage.gateway
  const send = async (path: string, body?: object) => {
    const response = await fetch(`${url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return (await response.json()) as { id: string; status: string }
  }
  const model = `sora-${key}-${'x'.repeat(300)}`
  const { id } = await send('/v1/videos', { model, prompt: 'a film', seconds: '4' })
  await until(async () => (await send(`/v1/videos/${id}`)).status === 'completed')
  const isEnd = ({ isJob }: LedgerRow) => isJob === true
  await until(async () => (await stage.rows(1)).some(isEnd))
  const rows = await stage.rows(1)
  const order = rows.find(({ operation }) => operation === 'videos.create')!
  const end = rows.find(isEnd)!
  expect(JSON.stringify(rows)).not.toContain(key)
  expect([end.model, end.upstreamModel]).toEqual([order.model, order.upstreamModel])
})
