import { chmod, mkdir, readdir } from 'node:fs/promises'

import { expect, test } from 'vitest'

import type { LedgerRow } from '../../src/contract/ledger-row.ts'
import { createLedgerQueue } from '../../src/history/queue.ts'
import { openSpill } from '../../src/lib/spill.ts'
import { createLog } from '../../src/lib/log.ts'
import type { LedgerBatch } from '../../src/stores/ledger.ts'
import { StoreUnavailable } from '../../src/stores/store.ts'
import { collectLines } from '../../src/testing/lines.ts'
import { until } from '../../src/testing/until.ts'
import { temporaryDirectory } from '../stores/temporary.ts'

const store = 'redis://user:canary@127.0.0.1:1'

function row(index: number): LedgerRow {
  return {
    exchange: `req_${index}`,
    attempt: 1,
    at: 60_000 * 7 + index,
    keyId: 'key',
    operation: 'chat.create',
    dialect: 'chat',
    model: 'gpt',
    accountId: 'a',
    upstreamModel: 'gpt',
    status: 'completed',
    fault: 'none',
    usage: 'reported',
    costNano: 1,
    ms: 1,
  }
}

/** A ledger that takes batches while it is not away. */
function fakeLedger() {
  const taken = new Map<string, LedgerBatch>()
  const ledger = {
    isAway: true,
    taken,
    async append(batch: LedgerBatch) {
      if (ledger.isAway) throw new StoreUnavailable('away')
      taken.set(batch.id, batch)
    },
    rows: () => [...taken.values()].flatMap(({ rows }) => rows.map(({ exchange }) => exchange)),
  }
  return ledger
}

test('rows that memory has no place for wait in a file, and reach the store when it is back', async () => {
  await using directory = await temporaryDirectory()
  const ledger = fakeLedger()
  const { sink, lines } = collectLines()
  const spill = openSpill({ directory: directory.path, store, of: 'ledger' })
  const queue = createLedgerQueue({ ledger, spill, log: createLog(sink) })
  for (let index = 0; index < 100; index++) queue.add([row(index)], [])
  await until(() => spill.hasLines)
  for (let index = 100; index < 200; index++) queue.add([row(index)], [])
  const [folder = ''] = await readdir(directory.path)
  expect(folder).not.toContain('canary')
  ledger.isAway = false
  await until(() => ledger.rows().length === 200)
  await until(() => !spill.hasLines)
  expect(new Set(ledger.rows()).size).toBe(200)
  expect(await readdir(`${directory.path}/${folder}`)).toEqual([])
  expect(lines.map(({ msg }) => msg)).toEqual([
    'the ledger cannot be written; its rows wait',
    'the ledger is written again',
  ])
})

test('what a process leaves in its file, the next one on the store writes', async () => {
  await using directory = await temporaryDirectory()
  const away = fakeLedger()
  const log = createLog(collectLines().sink)
  const first = openSpill({ directory: directory.path, store, of: 'ledger' })
  const queue = createLedgerQueue({ ledger: away, spill: first, log })
  queue.add([row(1), row(2)], [{ at: 1, sums: { counted: 1 } }])
  await queue.close(10)
  expect(first.hasLines).toBe(true)

  const other = openSpill({ directory: directory.path, store: 'file:/other', of: 'ledger' })
  await other.adopt()
  expect(other.hasLines).toBe(false)
  const second = openSpill({ directory: directory.path, store, of: 'ledger' })
  await second.adopt()
  const ledger = fakeLedger()
  ledger.isAway = false
  const next = createLedgerQueue({ ledger, spill: second, log })
  next.add([row(3)], [])
  await until(() => ledger.rows().length === 3)
  expect([...ledger.taken.values()].flatMap(({ counts }) => counts)).toEqual([
    { at: 1, sums: { counted: 1 } },
  ])
})

test('rows that find no place are counted as lost in their minute, not forgotten', async () => {
  await using directory = await temporaryDirectory()
  // A directory that others may read is not used.
  const path = `${directory.path}/spool`
  await mkdir(path)
  const spill = openSpill({ directory: path, store, of: 'ledger' })
  await spill.add('{}')
  const [folder = ''] = await readdir(path)
  await chmod(`${path}/${folder}`, 0o755)
  const ledger = fakeLedger()
  const unsafe = openSpill({ directory: path, store, of: 'ledger' })
  const queue = createLedgerQueue({ ledger, spill: unsafe, log: createLog(collectLines().sink) })
  queue.add([row(1), row(2)], [{ at: 60_000 * 9, sums: { calls: 4 } }])
  await queue.close(10)
  expect(queue.takeLost()).toEqual([
    { at: 60_000 * 7, sums: { lost: 2 } },
    { at: 60_000 * 9, sums: { lost: 4 } },
  ])
})

test('a batch that the store refuses again and again does not hold up the others', async () => {
  await using directory = await temporaryDirectory()
  const ledger = fakeLedger()
  ledger.isAway = false
  const append = ledger.append
  let refused = 0
  ledger.append = async (batch) => {
    if (batch.rows.some(({ exchange }) => exchange === 'req_1')) {
      refused++
      throw new StoreUnavailable('refused')
    }
    await append(batch)
  }
  const spill = openSpill({ directory: directory.path, store, of: 'ledger' })
  const queue = createLedgerQueue({ ledger, spill, log: createLog(collectLines().sink) })
  for (let index = 0; index < 5; index++) queue.add([row(index)], [])
  await until(() => ledger.rows().length === 4)
  expect(refused).toBeGreaterThan(0)
})
