import { DatabaseSync } from 'node:sqlite'

import { expect, test } from 'vitest'

import { createMeter } from '../../../src/stores/meter-wire.ts'
import { clientOf, end } from '../../../src/stores/redis/connect.ts'
import type { Meter } from '../../../src/stores/meter.ts'
import { redisMeter } from '../../../src/stores/redis/meter.ts'
import { parseRedisUrl } from '../../../src/stores/redis/url.ts'
import { openDatabase } from '../../../src/stores/file/database.ts'
import { inTransaction, meterSchema, prepareMeter } from '../../../src/stores/sql-meter.ts'
import { startRedis } from '../../../src/testing/redis.ts'
import { temporaryDirectory } from '../temporary.ts'
import { type Met, walk } from './walk.ts'

const everywhere = [
  'rate',
  'concurrent',
  'held',
  'spent',
  'admitted',
  'warned',
  'settled unheld',
  'leased',
  'not leased',
  'day',
]

function expectAllMet(met: Met): void {
  for (const name of everywhere) expect(met[name], name).toBeGreaterThan(0)
}

/** As the file store has it: one connection writes, the other one reads what was written. */
function openWriterAndReader(database: DatabaseSync) {
  const [writer, reader] = [prepareMeter(database), prepareMeter(database)]
  const open = (now: () => number) =>
    createMeter(async (operation) => {
      const isRead = operation[0] === 'read'
      const reply = (isRead ? reader : writer).apply(operation)
      if (isRead) reader.forget()
      else writer.flush(now())
      return reply
    }, now)
  return { open, sweep: writer.sweep, manner: { readingCharges: false, forgetsAtOnce: false } }
}

/** As processes on a file store have it. */
function openProcesses(directory: string) {
  const connections = [1, 2, 3].map(() => {
    const database = openDatabase(directory)
    return { database, ...prepareMeter(database) }
  })
  const [reader, ...writers] = connections
  let turn = 0
  const open = (now: () => number) =>
    createMeter(async (operation) => {
      const isRead = operation[0] === 'read'
      // One of them writes twice before the other does.
      const { database, apply, flush, forget } = isRead ? reader! : writers[++turn % 3 ? 0 : 1]!
      const reply = inTransaction(database, isRead ? 'BEGIN' : 'BEGIN IMMEDIATE', () => {
        const answer = apply(operation)
        if (!isRead) flush(now())
        return answer
      })
      if (isRead) forget()
      return reply
    }, now)
  return {
    open,
    sweep: writers[1]!.sweep,
    manner: { readingCharges: false, forgetsAtOnce: false },
    close: () => connections.forEach(({ database }) => database.close()),
  }
}

/** As the store in memory has it: changes are written now and then. */
export function openOne(database: DatabaseSync) {
  const { apply, sweep } = prepareMeter(database)
  const open = (now: () => number) => createMeter(async (operation) => apply(operation), now)
  return { open, sweep, manner: { readingCharges: true, forgetsAtOnce: false } }
}

const manner = { readingCharges: true, forgetsAtOnce: true }

/**
 * Opens a meter on a Redis, by a clock of its own. Without the deadline of a store: a busy machine would leave open
 * whether a step was done.
 */
export async function openRedis(): Promise<AsyncDisposable & { open(now: () => number): Meter }> {
  const redis = await startRedis()
  const { client, send } = clientOf(parseRedisUrl(redis.url)!)
  await client.connect()
  const sender: Parameters<typeof redisMeter>[0] = {
    send: (key, mode, command) => send(key, mode === 'read', command),
  }
  return {
    open: (now) => redisMeter(sender, 'test:', now),
    async [Symbol.asyncDispose]() {
      end({ client })
      await redis[Symbol.asyncDispose]()
    },
  }
}

/** Compares the meters of SQL with the reference, each at so many random steps. */
export function compareMeters(steps: number): void {
  test(`SQL of two processes counts as the reference does, at ${steps} random steps`, async () => {
    await using directory = await temporaryDirectory()
    const { close, ...processes } = openProcesses(directory.path)
    expectAllMet(await walk({ seed: 7, steps, ...processes }))
    close()
  }, 240_000)

  test.each([
    { way: 'in two connections', seed: 1, prepare: openWriterAndReader },
    { way: 'in one', seed: 3, prepare: openOne },
  ])(
    `SQL $way counts as the reference does, at ${steps} random steps of seed $seed`,
    async ({ seed, prepare }) => {
      const database = new DatabaseSync(':memory:')
      database.exec(meterSchema)
      expectAllMet(await walk({ seed, steps, ...prepare(database) }))
      database.close()
    },
    240_000,
  )
}

/** Compares the meter of Redis with the reference. */
export function compareRedis(steps: number): void {
  test(`Redis counts as the reference does, at ${steps} random steps`, async () => {
    await using redis = await openRedis()
    expectAllMet(await walk({ seed: 5, steps, manner, open: redis.open }))
  }, 240_000)
}
