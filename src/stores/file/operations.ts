import type { DatabaseSync } from 'node:sqlite'

import type { LedgerBatch } from '../ledger.ts'
import type { MeterOperation, MeterReply } from '../meter-wire.ts'
import { hasLedger, prepareLedgerWrites } from '../sql-ledger.ts'
import { prepareMeter } from '../sql-meter.ts'
import type { Counted } from '../store.ts'
import { recordsTable, recordsTables } from './database.ts'

/** One write. `listed`: the write changes the namespace's version. */
export type WriteOperation =
  | { do: 'set'; namespace: string; listed: boolean; entries: readonly RecordRow[] }
  | ({ do: 'add'; namespace: string; listed: boolean } & RecordRow)
  | {
      do: 'replace'
      namespace: string
      listed: boolean
      id: string
      expected: string
      envelope: string
    }
  | { do: 'delete'; namespace: string; listed: boolean; id: string }
  | { do: 'deleteIf'; namespace: string; listed: boolean; id: string; expected: string }
  | { do: 'clear'; namespace: string; listed: boolean }
  | { do: 'count'; namespace: string; id: string; by: number; expires: number | null }
  | { do: 'meter'; operation: MeterOperation }
  | { do: 'ledger'; batch: LedgerBatch }

/** A record. `expires` is in milliseconds since 1970; null: never. */
interface RecordRow {
  readonly id: string
  readonly envelope: string
  readonly expires: number | null
}

/** A counter after an addition. JSON has null for the time of one without an end. */
export interface CountedRow extends Omit<Counted, 'remainingMs'> {
  readonly remainingMs: number | null
}

/** Whether the operation wrote a record; for `count`, the counter afterwards. In JSON. */
export type WriteResult = boolean | CountedRow | MeterReply

/** The rows that a sweep reads in each table: others wait for a millisecond or two. */
const sweepBatch = 2_000

type RecordOperation = Exclude<WriteOperation, { do: 'count' | 'meter' | 'ledger' }>

/** Rows of the ledger: about 5 GB. */
const mostRows = 10_000_000

/** Prepares the writes of a store on one connection. They throw the errors of SQLite. */
export function prepareWrites(database: DatabaseSync) {
  const namespaces = new Map<string, (operation: RecordOperation) => boolean>()
  const count = prepareCount(database)
  const meter = prepareMeter(database)
  const bump = database.prepare(`INSERT INTO versions (namespace, version) VALUES (?, 1)
    ON CONFLICT (namespace) DO UPDATE SET version = version + 1`)
  const sweepRecords = new Map<string, () => void>()
  const sweepCounters = counterSweeper(database)
  let ledger: ReturnType<typeof prepareLedgerWrites> | undefined
  const ledgerOf = () => (ledger ??= prepareLedgerWrites(database, mostRows))

  function writeRecords(operation: RecordOperation): boolean {
    const { namespace } = operation
    let write = namespaces.get(namespace)
    if (!write) {
      write = prepareRecords(database, recordsTable(database, namespace))
      namespaces.set(namespace, write)
    }
    const written = write(operation)
    if (operation.listed && written) bump.run(namespace)
    return written
  }

  return {
    /**
     * Executes an operation, and changes the version of a listed namespace if it wrote a record.
     */
    apply(operation: WriteOperation): WriteResult {
      if (operation.do === 'count') return count(operation)
      if (operation.do === 'meter') return meter.apply(operation.operation)
      if (operation.do !== 'ledger') return writeRecords(operation)
      ledgerOf().append(operation.batch, Date.now())
      return true
    },
    /** Writes what the operations of a transaction have changed, before its end. */
    flush: () => meter.flush(Date.now()),
    /** Forgets what the operations of a transaction that failed have changed. */
    forget: () => meter.forget(),
    /** Deletes what has expired among the next rows of each table. */
    sweep() {
      for (const table of recordsTables(database)) {
        const sweep = sweepRecords.get(table) ?? recordSweeper(database, table)
        sweepRecords.set(table, sweep)
        sweep()
      }
      sweepCounters()
      meter.sweep(Date.now())
      if (ledger || hasLedger(database)) ledgerOf().expire(Date.now())
    },
  }
}

function prepareRecords(database: DatabaseSync, table: string) {
  const upsert = `INSERT INTO ${table} AS known (id, envelope, expires) VALUES (?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET envelope = excluded.envelope, expires = excluded.expires`
  const live = '(expires IS NULL OR expires > ?)'
  const set = database.prepare(upsert)
  const add = database.prepare(`${upsert} WHERE known.expires <= ?`)
  const replace = database.prepare(
    `UPDATE ${table} SET envelope = ? WHERE id = ? AND envelope = ? AND ${live}`,
  )
  const remove = database.prepare(`DELETE FROM ${table} WHERE id = ? AND ${live}`)
  const removeIf = database.prepare(
    `DELETE FROM ${table} WHERE id = ? AND envelope = ? AND ${live}`,
  )
  const clear = database.prepare(`DELETE FROM ${table}`)

  return (operation: RecordOperation): boolean => {
    switch (operation.do) {
      case 'set':
        for (const { id, envelope, expires } of operation.entries) set.run(id, envelope, expires)
        return true
      case 'add': {
        const { id, envelope, expires } = operation
        return add.run(id, envelope, expires, Date.now()).changes > 0
      }
      case 'replace': {
        const { id, envelope, expected } = operation
        return replace.run(envelope, id, expected, Date.now()).changes > 0
      }
      case 'delete':
        return remove.run(operation.id, Date.now()).changes > 0
      case 'deleteIf': {
        const { id, expected } = operation
        return removeIf.run(id, expected, Date.now()).changes > 0
      }
      case 'clear':
        return clear.run().changes > 0
    }
  }
}

function prepareCount(database: DatabaseSync) {
  const statement = database.prepare(`INSERT INTO counters (namespace, id, value, expires)
    VALUES (?, ?, ?, ?) ON CONFLICT (namespace, id) DO UPDATE SET
      value = CASE WHEN expires <= ? THEN excluded.value ELSE value + excluded.value END,
      expires = CASE WHEN expires <= ? THEN excluded.expires ELSE expires END
    RETURNING value, expires`)
  return ({ namespace, id, by, expires }: Extract<WriteOperation, { do: 'count' }>): CountedRow => {
    const now = Date.now()
    const row = statement.get(namespace, id, by, expires, now, now)
    const end = row?.['expires'] ?? null
    const remainingMs = end === null ? null : Math.max(0, Number(end) - now)
    return { total: Number(row?.['value']), remainingMs }
  }
}

/**
 * Each call sweeps the next rows of a table, and after the last one begins again. An index by
 * expiry would find expired rows at once, but slow down every write.
 */
function recordSweeper(database: DatabaseSync, table: string): () => void {
  const rows = database.prepare(
    `SELECT id FROM ${table} WHERE id > ? ORDER BY id LIMIT ${sweepBatch}`,
  )
  const remove = database.prepare(`DELETE FROM ${table} WHERE id > ? AND id <= ? AND expires <= ?`)
  let from = ''
  return () => {
    const last = rows.all(from).at(-1)
    const to = last && String(last['id'])
    if (to !== undefined) remove.run(from, to, Date.now())
    from = to ?? ''
  }
}

/** Sweeps counters as `recordSweeper` does records. The counters of all namespaces share a table. */
function counterSweeper(database: DatabaseSync): () => void {
  const rows = database.prepare(`SELECT namespace, id FROM counters
    WHERE (namespace, id) > (?, ?) ORDER BY namespace, id LIMIT ${sweepBatch}`)
  const remove = database.prepare(`DELETE FROM counters
    WHERE (namespace, id) > (?, ?) AND (namespace, id) <= (?, ?) AND expires <= ?`)
  let from: readonly [namespace: string, id: string] = ['', '']
  return () => {
    const last = rows.all(...from).at(-1)
    const to = last && ([String(last['namespace']), String(last['id'])] as const)
    if (to) remove.run(...from, ...to, Date.now())
    from = to ?? ['', '']
  }
}
