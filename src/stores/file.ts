import type { DatabaseSync } from 'node:sqlite'

import type { RecordsAdapter } from './adapter.ts'
import { openDatabase } from './file-database.ts'
import { keyvRecords } from './keyv-records.ts'
import type { Store } from './store.ts'
import { StoreUnavailable } from './store.ts'

const sweepInterval = 60_000
/** So many expired rows at once keep a sweep under a millisecond or so. */
const sweepBatch = 500

/**
 * The embedded store: one SQLite file in a directory, shared by any number of processes of one
 * machine. What was acknowledged survives the death of the process.
 * Throws `StoreUnavailable` when the directory or the file cannot be used.
 */
export function openFileStore(directory: string): Store {
  const database = openDatabase(directory)
  const statements = prepareStatements(database)
  const changes = countChanges(database)
  const sweep = setInterval(() => {
    try {
      statements.sweep.run(Date.now(), sweepBatch)
    } catch {
      // Expired rows are never read; the next sweep takes them.
    }
  }, sweepInterval).unref()

  return {
    records(namespace) {
      return keyvRecords(
        namespace,
        fileAdapter(namespace, statements, () => changes.wrote()),
      )
    },
    version: () => guarded(() => changes.version()),
    async close() {
      clearInterval(sweep)
      if (database.isOpen) database.close()
    },
  }
}

type Statements = ReturnType<typeof prepareStatements>

function prepareStatements(database: DatabaseSync) {
  const upsert = `INSERT INTO records (namespace, id, envelope, expires) VALUES (?, ?, ?, ?)
    ON CONFLICT (namespace, id) DO UPDATE SET envelope = excluded.envelope, expires = excluded.expires`
  const live = '(expires IS NULL OR expires > ?)'
  return {
    get: database.prepare(
      `SELECT envelope FROM records WHERE namespace = ? AND id = ? AND ${live}`,
    ),
    set: database.prepare(upsert),
    add: database.prepare(`${upsert} WHERE records.expires <= ?`),
    delete: database.prepare(`DELETE FROM records WHERE namespace = ? AND id = ? AND ${live}`),
    clear: database.prepare('DELETE FROM records WHERE namespace = ?'),
    range: database.prepare(
      `SELECT id, envelope FROM records WHERE namespace = ? AND id > ? AND ${live} ORDER BY id LIMIT ?`,
    ),
    sweep: database.prepare(
      `DELETE FROM records WHERE (namespace, id) IN
        (SELECT namespace, id FROM records WHERE expires <= ? LIMIT ?)`,
    ),
  }
}

function fileAdapter(namespace: string, statements: Statements, wrote: () => void): RecordsAdapter {
  const expiry = (ttlMs: number | undefined) => (ttlMs === undefined ? null : Date.now() + ttlMs)
  const changed = (run: () => { changes: number | bigint }): boolean => {
    const { changes } = guarded(run)
    if (changes > 0) wrote()
    return changes > 0
  }

  return {
    get(id) {
      const row = guarded(() => statements.get.get(namespace, id, Date.now()))
      return row && String(row['envelope'])
    },
    set(id, envelope, ttlMs) {
      changed(() => statements.set.run(namespace, id, envelope, expiry(ttlMs)))
    },
    add: (id, envelope, ttlMs) =>
      changed(() => statements.add.run(namespace, id, envelope, expiry(ttlMs), Date.now())),
    delete: (id) => changed(() => statements.delete.run(namespace, id, Date.now())),
    clear() {
      changed(() => statements.clear.run(namespace))
    },
    range: (after, limit) =>
      guarded(() =>
        statements.range
          .all(namespace, after ?? '', Date.now(), limit)
          .map((row) => ({ id: String(row['id']), envelope: String(row['envelope']) })),
      ),
  }
}

/** SQLite tells a connection of the writes of all others; its own are counted here. */
function countChanges(database: DatabaseSync) {
  const dataVersion = database.prepare('PRAGMA data_version')
  let seen: unknown
  let count = 0
  return {
    wrote() {
      count += 1
    },
    version() {
      const now = dataVersion.get()?.['data_version']
      if (now !== seen) count += 1
      seen = now
      return count
    },
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
