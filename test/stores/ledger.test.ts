import { DatabaseSync } from 'node:sqlite'

import { describe, expect, test } from 'vitest'

import type { LedgerRow } from '../../src/contract/ledger-row.ts'
import { newRequestId } from '../../src/exchange/receive.ts'
import {
  type BucketSums,
  type LedgerBatch,
  type Step,
  type SumsPart,
  cursorOf,
  responseJobId,
  firstCursorOf,
  rowsKeptMs,
  timeOfId,
} from '../../src/stores/ledger.ts'
import { openStore } from '../../src/stores/open.ts'
import { prepareLedgerReads, prepareLedgerWrites } from '../../src/stores/sql-ledger.ts'
import type { Store } from '../../src/stores/store.ts'
import { startRedis } from '../../src/testing/redis.ts'
import { temporaryDirectory } from './temporary.ts'

const kinds = {
  memory: async (stack: AsyncDisposableStack) => open(stack, 'memory:'),
  file: async (stack: AsyncDisposableStack) =>
    open(stack, `file:${stack.use(await temporaryDirectory()).path}`),
  redis: async (stack: AsyncDisposableStack) => open(stack, stack.use(await startRedis()).url),
}

async function open(stack: AsyncDisposableStack, url: string): Promise<Store> {
  const store = await openStore(url, { cwd: '/' })
  stack.defer(() => store.close())
  return store
}

const minute = 60_000
const hour = 60 * minute
const now = Date.now()
const at = now - (now % hour) - hour

/** As the gateway makes them: they begin with their time. */
function idOf(index: number): string {
  const time = (at - 1_000).toString(16).padStart(12, '0')
  return `req_${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(index).padStart(12, '0')}`
}

function row(index: number, changes: Partial<LedgerRow> = {}): LedgerRow {
  return {
    exchange: idOf(index),
    attempt: 1,
    at: at + index,
    keyId: 'key',
    operation: 'chat.create',
    dialect: 'chat',
    model: 'gpt',
    accountId: 'a',
    upstreamModel: 'gpt',
    status: 'completed',
    fault: 'none',
    httpStatus: 200,
    usage: 'reported',
    tokens: { inputTokens: 10, outputTokens: 3, cachedTokens: 0 },
    costNano: 1_000_000_007,
    ms: 120,
    reply: { status: 200, end: 'complete', stream: false, ms: 130, firstOutputMs: 90 },
    ...changes,
  }
}

let batches = 0

function batch(rows: readonly LedgerRow[], counts: LedgerBatch['counts'] = []): LedgerBatch {
  return { id: `batch-${++batches}`, rows, counts }
}

async function all(store: Store, part: Partial<SumsPart> = {}): Promise<BucketSums[]> {
  const usual = { step: 'minute' as Step, from: at, to: at + hour, of: 'each' as const }
  const found: BucketSums[] = []
  for await (const page of store.ledger().sums({ ...usual, ...part })) found.push(...page)
  return found
}

describe.each(Object.entries(kinds))('a ledger in %s', (_kind, openKind) => {
  test('pitfall 10: a row that is appended twice counts once, also in another batch', async () => {
    await using stack = new AsyncDisposableStack()
    const store = await openKind(stack)
    const ledger = store.ledger()
    const first = batch([row(1), row(2)], [{ at, sums: { begun: 1 } }])
    await Promise.all([ledger.append(first), ledger.append(first)])
    await ledger.append(batch([row(2), row(3)]))
    expect((await ledger.rows({ limit: 10 })).map(({ exchange }) => exchange)).toEqual([
      idOf(1),
      idOf(2),
      idOf(3),
    ])
    const [sums] = await all(store)
    expect(sums).toMatchObject({ start: at, team: '', keyId: 'key', model: 'gpt', accountId: 'a' })
    expect(sums?.sums).toEqual({
      calls: 3,
      inputTokens: 30,
      outputTokens: 9,
      costNano: 3_000_000_021,
      first3: 3,
      duration4: 3,
    })
    const [whole] = await all(store, { of: 'all' })
    expect(whole?.sums).toEqual({ ...sums?.sums, begun: 1 })
  })

  test('sums of all buckets agree with the rows', async () => {
    await using stack = new AsyncDisposableStack()
    const store = await openKind(stack)
    const ledger = store.ledger()
    const rows = Array.from({ length: 300 }, (_, index) =>
      row(index, {
        at: at + (index * hour) / 300,
        keyId: `key-${index % 3}`,
        accountId: `account-${index % 5}`,
        costNano: index % 7 === 0 ? null : index,
        usage: index % 2 === 0 ? 'estimated' : 'reported',
        ...(index % 11 === 0 && { reply: undefined }),
        ...(index % 13 === 0 && { isFree: true as const }),
      }),
    )
    for (let from = 0; from < 300; from += 100)
      await ledger.append(batch(rows.slice(from, from + 100)))
    const counted = rows.filter(({ isFree }) => !isFree)
    const expected = {
      calls: counted.filter(({ reply }) => reply).length,
      retries: counted.filter(({ reply }) => !reply).length,
      costNano: counted.reduce((sum, { costNano }) => sum + (costNano ?? 0), 0),
      unpriced: counted.filter(({ costNano }) => costNano === null).length,
      estimated: counted.filter(({ usage }) => usage === 'estimated').length,
      inputTokens: counted.length * 10,
    }
    const day = 24 * hour
    for (const [step, ms] of [
      ['minute', minute],
      ['tenMinutes', 10 * minute],
      ['hour', hour],
      ['day', day],
    ] as const) {
      const part = { step, from: at - (at % ms), to: at + day }
      for (const scope of ['each', 'all'] as const) {
        const total: Record<string, number> = {}
        for (const { sums } of await all(store, { ...part, of: scope }))
          for (const [name, amount] of Object.entries(sums))
            total[name] = (total[name] ?? 0) + (amount ?? 0)
        expect(total).toMatchObject(expected)
      }
      const owners = new Set((await all(store, part)).map((one) => one.keyId + one.accountId))
      expect(owners.size).toBe(15)
    }
  })

  test('pages of rows go both ways, and an exchange is found by its id', async () => {
    await using stack = new AsyncDisposableStack()
    const ledger = (await openKind(stack)).ledger()
    await ledger.append(
      batch([row(1, { reply: undefined }), row(1, { attempt: 2 }), row(2), row(3), row(4)]),
    )
    const names = (rows: readonly LedgerRow[]) =>
      rows.map((one) => `${Number(one.exchange.slice(-12))}.${one.attempt}`)
    const first = await ledger.rows({ limit: 2 })
    expect(names(first)).toEqual(['1.1', '1.2'])
    const after = cursorOf(first[1]!)
    expect(names(await ledger.rows({ limit: 2, after }))).toEqual(['2.1', '3.1'])
    const newest = await ledger.rows({ limit: 2, newestFirst: true })
    expect(names(newest)).toEqual(['4.1', '3.1'])
    const before = cursorOf(newest[1]!)
    expect(names(await ledger.rows({ limit: 9, after: before, newestFirst: true }))).toEqual([
      '2.1',
      '1.2',
      '1.1',
    ])
    expect(names(await ledger.rows({ limit: 9, after: firstCursorOf(at + 3) }))).toEqual([
      '3.1',
      '4.1',
    ])
    expect(names(await ledger.rowsOf(idOf(1)))).toEqual(['1.1', '1.2'])
    expect(await ledger.rowsOf(idOf(9))).toEqual([])
  })

  test('pitfall 11: what has expired is deleted with the next writes', async () => {
    await using stack = new AsyncDisposableStack()
    const store = await openKind(stack)
    const ledger = store.ledger()
    const old = now - rowsKeptMs - hour
    await ledger.append(batch(Array.from({ length: 250 }, (_, index) => row(index, { at: old }))))
    for (let index = 0; index < 4; index++) await ledger.append(batch([row(index)]))
    expect(await ledger.rows({ limit: 10 })).toHaveLength(4)
    const part = { from: old - (old % minute), to: old + minute }
    expect(await all(store, { ...part, step: 'minute' })).toEqual([])
    const hours = { from: old - (old % hour), to: old + hour, step: 'hour' as const }
    expect((await all(store, hours))[0]?.sums.calls).toBe(250)
  })

  test('numbers that no call has spoil no sum', async () => {
    await using stack = new AsyncDisposableStack()
    const store = await openKind(stack)
    const tokens = { inputTokens: 1e300, outputTokens: 0.5, cachedTokens: -4, reasoningTokens: 2 }
    await store.ledger().append(batch([row(1, { tokens, costNano: 1.5 })]))
    await store.ledger().append(batch([row(2)]))
    const [sums] = await all(store, { of: 'all' })
    expect(sums?.sums).toMatchObject({
      inputTokens: 10,
      outputTokens: 3,
      reasoningTokens: 2,
      costNano: 1_000_000_007,
    })
    expect(sums?.sums.cachedTokens).toBeUndefined()
  })

  test('a sum that is as large as the store can write stops no other', async () => {
    await using stack = new AsyncDisposableStack()
    const store = await openKind(stack)
    const costNano = Number.MAX_SAFE_INTEGER
    const rows = Array.from({ length: 1_100 }, (_, index) => row(index, { costNano }))
    for (let from = 0; from < rows.length; from += 550)
      await store.ledger().append(batch(rows.slice(from, from + 550)))
    const [sums] = await all(store, { of: 'all' })
    expect(sums?.sums).toMatchObject({ calls: 1_100, inputTokens: 11_000 })
    expect(sums?.sums.costNano).toBeGreaterThan(Number.MAX_SAFE_INTEGER)
  })

  test('the rows of a job, and of a host with ids of its own, are found by their ids', async () => {
    await using stack = new AsyncDisposableStack()
    const store = await openKind(stack)
    const ledger = store.ledger()
    const ids = [
      'video_0a1b2c',
      responseJobId(idOf(5)),
      'req_hosted',
      'req_0a1b2c3x-0000-7',
      '0',
      '%_*?[',
      '\u{1f600}',
    ]
    const rows = [...ids, idOf(1)].map((exchange, index) => row(index, { exchange }))
    await ledger.append(batch(rows))
    // A host may give an id twice: the later call has it.
    await ledger.append(
      batch([1, 2].map((attempt) => row(20, { exchange: 'req_hosted', attempt, ms: 7 }))),
    )
    for (const one of rows) {
      const found = await ledger.rowsOf(one.exchange)
      if (one.exchange === 'req_hosted')
        expect(found.map(({ attempt, ms }) => [attempt, ms])).toEqual([
          [1, 7],
          [2, 7],
        ])
      else expect(found).toEqual([JSON.parse(JSON.stringify(one))])
    }
    for (const id of ['', 'req_', 'req_host', 'video_0a1b2', '*'])
      expect(await ledger.rowsOf(id)).toEqual([])
  })

  test('a ledger that was never written to is empty', async () => {
    await using stack = new AsyncDisposableStack()
    const store = await openKind(stack)
    expect(await store.ledger().rows({ limit: 1 })).toEqual([])
    expect(await store.ledger().rowsOf(idOf(1))).toEqual([])
    expect(await all(store)).toEqual([])
  })
})

test('the id of an exchange says when it began', () => {
  const before = Date.now()
  const time = timeOfId(newRequestId())
  expect(time).toBeGreaterThanOrEqual(before)
  expect(time).toBeLessThanOrEqual(Date.now())
})

test('beyond its most rows a ledger in SQL deletes the oldest, of one time in their order, and 500 at once', () => {
  using database = new DatabaseSync(':memory:')
  const writes = prepareLedgerWrites(database, 3)
  const reads = prepareLedgerReads(database)
  // A clock may be ahead.
  const rows = Array.from({ length: 603 }, (_, index) => row(index, { at: now + hour }))
  writes.append(batch(rows.slice(0, 150)), now)
  writes.append(batch(rows.slice(150)), now)
  const left = () => reads.rows({ limit: 999 }).map(({ exchange }) => exchange)
  expect(left()).toEqual(rows.slice(500).map(({ exchange }) => exchange))
  for (let times = 0; times < 2; times++) {
    writes.expire(now)
    expect(left()).toEqual(rows.slice(-3).map(({ exchange }) => exchange))
  }
})

test('a Redis gets the text of the script once, and again after it has forgotten it', async () => {
  await using redis = await startRedis()
  await using stack = new AsyncDisposableStack()
  const ledger = (await open(stack, redis.url)).ledger()
  for (let index = 0; index < 6; index++) {
    if (index === 3) await redis.command('SCRIPT', 'FLUSH')
    await ledger.append(batch([row(index)]))
  }
  expect(await ledger.rows({ limit: 10 })).toHaveLength(6)
  const texts = /cmdstat_eval:calls=(\d+)/.exec(await redis.command('INFO', 'commandstats'))
  expect(Number(texts?.[1])).toBe(2)
})
