import type { DatabaseSync } from 'node:sqlite'

import type { RecordsAdapter } from '../adapter.ts'
import { keyvRecords } from '../keyv-records.ts'
import type { Counters, Store } from '../store.ts'
import { StoreUnavailable } from '../store.ts'
import { openDatabase } from './database.ts'
import { createWriter, type Writer } from './writer.ts'

/**
 * The embedded store: one SQLite file in a directory, shared by any number of processes of one
 * machine. It is read in place, which takes microseconds, and written by a thread. What was
 * acknowledged survives the death of the process.
 * Throws `StoreUnavailable` when the directory or the file cannot be used.
 */
export function openFileStore(directory: string): Store {
  const database = openDatabase(directory)
  const statements = prepareReads(database)
  const writer = createWriter(directory)

  return {
    records: (namespace, options) =>
      keyvRecords(
        namespace,
        fileAdapter({ namespace, listed: options?.listed ?? false }, statements, writer),
        options,
      ),
    counters: (namespace) => fileCounters(namespace, statements, writer),
    async close() {
      await writer.close()
      if (database.isOpen) database.close()
    },
  }
}

type Statements = ReturnType<typeof prepareReads>

function prepareReads(database: DatabaseSync) {
  const live = '(expires IS NULL OR expires > ?)'
  return {
    get: database.prepare(
      `SELECT envelope FROM records WHERE namespace = ? AND id = ? AND ${live}`,
    ),
    range: database.prepare(
      `SELECT id, envelope FROM records WHERE namespace = ? AND id > ? AND ${live} ORDER BY id LIMIT ?`,
    ),
    version: database.prepare('SELECT version FROM versions WHERE namespace = ?'),
    counter: database.prepare(
      `SELECT value FROM counters WHERE namespace = ? AND id = ? AND ${live}`,
    ),
  }
}

const expiryOf = (ttlMs: number | undefined) => (ttlMs === undefined ? null : Date.now() + ttlMs)

function fileAdapter(
  place: { readonly namespace: string; readonly listed: boolean },
  statements: Statements,
  writer: Writer,
): RecordsAdapter {
  const { namespace } = place
  const read = (id: string, now: number) => {
    const row = statements.get.get(namespace, id, now)
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
    async clear() {
      await writer.write({ do: 'clear', ...place })
    },
    range: (after, limit) =>
      guarded(() =>
        statements.range
          .all(namespace, after ?? '', Date.now(), limit)
          .map((row) => ({ id: String(row['id']), envelope: String(row['envelope']) })),
      ),
    version: () => guarded(() => String(statements.version.get(namespace)?.['version'] ?? 0)),
  }
}

function fileCounters(namespace: string, statements: Statements, writer: Writer): Counters {
  return {
    async add(id, by, options) {
      const expires = expiryOf(options?.ttlMs)
      return Number(await writer.write({ do: 'count', namespace, id, by, expires }))
    },
    get: async (id) =>
      guarded(() => Number(statements.counter.get(namespace, id, Date.now())?.['value'] ?? 0)),
  }
}

function guarded<R>(run: () => R): R {
  try {
    return run()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new StoreUnavailable(`The store failed: ${reason}.`, { cause })
  }
}
