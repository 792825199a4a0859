import type { DatabaseSync, StatementSync } from 'node:sqlite'

import { type AdapterScan, type RecordsAdapter, type StoredPage, headLength } from '../adapter.ts'
import { openCursor, sealCursor } from '../cursor.ts'
import { keyvRecords } from '../keyv-records.ts'
import { type MeterReply, createMeter } from '../meter-wire.ts'
import type { Meter } from '../meter.ts'
import type { Ledger } from '../ledger.ts'
import { hasLedger, pagesOf, prepareLedgerReads } from '../sql-ledger.ts'
import { inTransaction, prepareMeter } from '../sql-meter.ts'
import { type Counters, InvalidCursor, type Store, StoreUnavailable } from '../store.ts'
import { openFileBus } from './bus.ts'
import { openDatabase, recordsTable } from './database.ts'
import type { CountedRow } from './operations.ts'
import { ownSecretKey } from './secret-key.ts'
import { type Writer, createWriter } from './writer.ts'

/**
 * The embedded store: one SQLite file in a directory, shared by any number of processes of one
 * machine. Reads run on the calling thread and take microseconds; a worker thread writes. A write
 * that resolved survives the end of the process.
 * Throws `StoreUnavailable` when the directory or the file cannot be used.
 */
export function openFileStore(directory: string): Store {
  const database = openDatabase(directory)
  // 64 MiB. The writer keeps the default of 2 MB, since each commit walks through its whole cache.
  database.exec('PRAGMA cache_size = -65536')
  const writer = createWriter(directory)

  return {
    records: (namespace, options) =>
      keyvRecords(
        namespace,
        fileAdapter(database, { namespace, listed: options?.listed ?? false }, writer),
        options,
      ),
    counters: (namespace) => fileCounters(database, namespace, writer),
    meter: () => fileMeter(database, writer),
    ledger: () => fileLedger(database, writer),
    ownSecretKey: () => ownSecretKey(directory),
    openBus: (self, onError) => openFileBus(directory, self, onError),
    async close() {
      await writer.close()
      if (database.isOpen) database.close()
    },
  }
}

/** Behind all ids that the gateway makes. */
const greatestId = '\u{10ffff}'

const live = '(expires IS NULL OR expires > ?)'

const expiryOf = (ttlMs: number | undefined) => (ttlMs === undefined ? null : Date.now() + ttlMs)

function prepareReads(database: DatabaseSync, namespace: string) {
  const table = recordsTable(database, namespace)
  return {
    one: database.prepare(`SELECT envelope FROM ${table} WHERE id = ? AND ${live}`),
    some: database.prepare(
      `SELECT id, envelope FROM ${table} WHERE id > ? AND ${live} ORDER BY id LIMIT ?`,
    ),
    last: database.prepare(
      `SELECT id, envelope FROM ${table} WHERE id < ? AND ${live} ORDER BY id DESC LIMIT ?`,
    ),
    // Expired records too: a long run of them must not make one page long.
    scan: database.prepare(`SELECT id, expires, length(envelope) AS length,
      substr(envelope, 1, ${headLength}) AS head FROM ${table} WHERE id >= ? ORDER BY id LIMIT ?`),
    version: database.prepare('SELECT version FROM versions WHERE namespace = ?'),
  }
}

function fileAdapter(
  database: DatabaseSync,
  place: { readonly namespace: string; readonly listed: boolean },
  writer: Writer,
): RecordsAdapter {
  let prepared: ReturnType<typeof prepareReads> | undefined
  const statements = () => (prepared ??= prepareReads(database, place.namespace))
  // At the start of the gateway, so that the first call does not wait for it.
  if (database.isOpen) guarded(statements)
  const read = (id: string, now: number) => {
    const row = statements().one.get(id, now)
    return row && String(row['envelope'])
  }

  return {
    get: (id) => guarded(() => read(id, Date.now())),
    getMany: (ids) => {
      const now = Date.now()
      return guarded(() => ids.map((id) => read(id, now)))
    },
    async set(id, envelope, ttlMs) {
      const entries = [{ id, envelope, expires: expiryOf(ttlMs) }]
      await writer.write({ do: 'set', ...place, entries })
    },
    async setMany(stored) {
      const entries = stored.map(({ id, envelope, ttlMs }) => ({
        id,
        envelope,
        expires: expiryOf(ttlMs),
      }))
      if (entries.length > 0) await writer.write({ do: 'set', ...place, entries })
    },
    add: async (id, envelope, ttlMs) =>
      (await writer.write({ do: 'add', ...place, id, envelope, expires: expiryOf(ttlMs) })) ===
      true,
    replace: async (id, expected, envelope) =>
      (await writer.write({ do: 'replace', ...place, id, expected, envelope })) === true,
    delete: async (id) => (await writer.write({ do: 'delete', ...place, id })) === true,
    deleteIf: async (id, expected) =>
      (await writer.write({ do: 'deleteIf', ...place, id, expected })) === true,
    async clear() {
      await writer.write({ do: 'clear', ...place })
    },
    scan: (options) => guarded(() => scanRows(statements().scan, options)),
    range: (after, limit, order) =>
      guarded(() =>
        (order === 'ascending'
          ? statements().some.all(after ?? '', Date.now(), limit)
          : statements().last.all(after ?? greatestId, Date.now(), limit)
        ).map((row) => ({ id: String(row['id']), envelope: String(row['envelope']) })),
      ),
    version: () =>
      guarded(() => String(statements().version.get(place.namespace)?.['version'] ?? 0)),
  }
}

/** A page ends when its envelopes have this many characters, since SQLite reads them whole. */
const longestScan = 2 * 1024 * 1024

/** Rows in the order of their ids. */
function scanRows(
  statement: StatementSync,
  { cursor, limit, prefix = '', wants }: AdapterScan,
): StoredPage {
  const [after = ''] = cursor === undefined ? [] : openCursor(cursor, 1)
  const isBehind = Buffer.compare(Buffer.from(after), Buffer.from(prefix)) > 0
  // The least id behind `after`.
  const from = isBehind ? `${after}\0` : prefix
  const records = []
  const now = Date.now()
  let examined = 0
  let length = 0
  let next = ''
  for (const row of statement.iterate(from, limit + 1)) {
    const id = String(row['id'])
    if (!id.startsWith(prefix)) break
    if (examined === limit || length > longestScan) return { records, examined, next }
    examined++
    length += Number(row['length'])
    next = sealCursor([id])
    const isLive = row['expires'] === null || Number(row['expires']) > now
    if (isLive && wants?.(id) !== false)
      records.push({ id, head: String(row['head']), cursor: next })
  }
  return { records, examined }
}

function fileCounters(database: DatabaseSync, namespace: string, writer: Writer): Counters {
  const select = `SELECT value FROM counters WHERE namespace = ? AND id = ? AND ${live}`
  let prepared: StatementSync | undefined
  return {
    async add(id, by, options) {
      const expires = expiryOf(options?.ttlMs)
      const counted = await writer.write({ do: 'count', namespace, id, by, expires })
      const { total, remainingMs } = counted as CountedRow
      return { total, remainingMs: remainingMs ?? Infinity }
    },
    get: async (id) =>
      guarded(() => {
        prepared ??= database.prepare(select)
        return Number(prepared.get(namespace, id, Date.now())?.['value'] ?? 0)
      }),
  }
}

function fileMeter(database: DatabaseSync, writer: Writer): Meter {
  let prepared: ReturnType<typeof prepareMeter> | undefined
  return createMeter(async (operation) => {
    if (operation[0] !== 'read') {
      return (await writer.write({ do: 'meter', operation })) as MeterReply
    }
    return guarded(() => {
      const { apply, forget } = (prepared ??= prepareMeter(database))
      try {
        return inTransaction(database, 'BEGIN', () => apply(operation))
      } finally {
        forget()
      }
    })
  }, Date.now)
}

/** Its tables are there since the first write of any process. */
function fileLedger(database: DatabaseSync, writer: Writer): Ledger {
  let prepared: ReturnType<typeof prepareLedgerReads> | undefined
  const reads = () => {
    if (!prepared && hasLedger(database)) prepared = prepareLedgerReads(database)
    return prepared
  }
  return {
    async append(batch) {
      await writer.write({ do: 'ledger', batch })
    },
    rows: async (page) => guarded(() => reads()?.rows(page) ?? []),
    rowsOf: async (exchange) =>
      (await guarded(() => reads())
        ?.rowsOf(exchange)
        .catch(fail)) ?? [],
    sums: (part) => pagesOf((after) => guarded(() => reads()?.sums(part, after) ?? [])),
  }
}

function guarded<R>(run: () => R): R {
  try {
    return run()
  } catch (cause) {
    return fail(cause)
  }
}

function fail(cause: unknown): never {
  if (cause instanceof InvalidCursor) throw cause
  const reason = cause instanceof Error ? cause.message : String(cause)
  throw new StoreUnavailable(`The store failed: ${reason}.`, { cause })
}
