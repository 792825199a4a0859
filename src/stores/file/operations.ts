import type { DatabaseSync } from 'node:sqlite'

/** One write. `listed`: the namespace's version is to change with it. `expires` in milliseconds since 1970. */
export type Operation =
  | { do: 'set'; namespace: string; listed: boolean; entries: readonly Row[] }
  | ({ do: 'add'; namespace: string; listed: boolean } & Row)
  | {
      do: 'replace'
      namespace: string
      listed: boolean
      id: string
      expected: string
      envelope: string
    }
  | { do: 'delete'; namespace: string; listed: boolean; id: string }
  | { do: 'clear'; namespace: string; listed: boolean }
  | { do: 'count'; namespace: string; id: string; by: number; expires: number | null }

export interface Row {
  readonly id: string
  readonly envelope: string
  readonly expires: number | null
}

/** Whether something was written; for `count` the new sum. */
export type Result = boolean | number

/** How many rows a sweep looks at: few enough to keep others waiting for a millisecond or two. */
const sweepBatch = 2_000

/** The writes of a store, prepared on one connection. Each throws what SQLite throws. */
export function prepareWrites(database: DatabaseSync) {
  const upsert = `INSERT INTO records (namespace, id, envelope, expires) VALUES (?, ?, ?, ?)
    ON CONFLICT (namespace, id) DO UPDATE SET envelope = excluded.envelope, expires = excluded.expires`
  const live = '(expires IS NULL OR expires > ?)'
  const set = database.prepare(upsert)
  const add = database.prepare(`${upsert} WHERE records.expires <= ?`)
  const replace = database.prepare(
    `UPDATE records SET envelope = ? WHERE namespace = ? AND id = ? AND envelope = ? AND ${live}`,
  )
  const remove = database.prepare(`DELETE FROM records WHERE namespace = ? AND id = ? AND ${live}`)
  const clear = database.prepare('DELETE FROM records WHERE namespace = ?')
  const count = database.prepare(`INSERT INTO counters (namespace, id, value, expires)
    VALUES (?, ?, ?, ?) ON CONFLICT (namespace, id) DO UPDATE SET
      value = CASE WHEN expires <= ? THEN excluded.value ELSE value + excluded.value END,
      expires = CASE WHEN expires <= ? THEN excluded.expires ELSE expires END
    RETURNING value`)
  const bump = database.prepare(`INSERT INTO versions (namespace, version) VALUES (?, 1)
    ON CONFLICT (namespace) DO UPDATE SET version = version + 1`)
  const sweeps = ['records', 'counters'].map((table) => sweeper(database, table))

  function write(operation: Operation): Result {
    const { namespace } = operation
    switch (operation.do) {
      case 'set':
        for (const { id, envelope, expires } of operation.entries) {
          set.run(namespace, id, envelope, expires)
        }
        return true
      case 'add': {
        const { id, envelope, expires } = operation
        return add.run(namespace, id, envelope, expires, Date.now()).changes > 0
      }
      case 'replace': {
        const { id, envelope, expected } = operation
        return replace.run(envelope, namespace, id, expected, Date.now()).changes > 0
      }
      case 'delete':
        return remove.run(namespace, operation.id, Date.now()).changes > 0
      case 'clear':
        return clear.run(namespace).changes > 0
      case 'count': {
        const { id, by, expires } = operation
        const now = Date.now()
        return Number(count.get(namespace, id, by, expires, now, now)?.['value'])
      }
    }
  }

  return {
    /** Does it, and changes the version of a listed namespace if anything was written. */
    apply(operation: Operation): Result {
      const result = write(operation)
      if ('listed' in operation && operation.listed && result) bump.run(operation.namespace)
      return result
    },
    /** Deletes the expired among the next rows. */
    sweep() {
      for (const sweep of sweeps) sweep()
    },
  }
}

/**
 * Walks through a table, some rows at a time, and begins again at its end. An index by expiry would
 * find the expired at once, but every write would pay for it.
 */
function sweeper(database: DatabaseSync, table: string): () => void {
  const rows = database.prepare(`SELECT namespace, id FROM ${table}
    WHERE (namespace, id) > (?, ?) ORDER BY namespace, id LIMIT ${sweepBatch}`)
  const remove = database.prepare(`DELETE FROM ${table}
    WHERE (namespace, id) > (?, ?) AND (namespace, id) <= (?, ?) AND expires <= ?`)
  let from: readonly [namespace: string, id: string] = ['', '']
  return () => {
    const last = rows.all(...from).at(-1)
    const to = last && ([String(last['namespace']), String(last['id'])] as const)
    if (to) remove.run(...from, ...to, Date.now())
    from = to ?? ['', '']
  }
}
