import type { DatabaseSync } from 'node:sqlite'

import type { LedgerRow } from '../contract/ledger-row.ts'
import { nextTurn } from '../lib/turns.ts'
import { aggregate } from './ledger-aggregate.ts'
import { type Sums, addSums } from './ledger-sums.ts'
import {
  type BucketSums,
  type LedgerBatch,
  type RowsPage,
  type SumsPart,
  batchesKeptMs,
  readCursor,
  rowsKeptMs,
  steps,
  timeOfId,
  timedIds,
} from './ledger.ts'

/** The rows of jobs and of hosts: their ids have no time by which to find them. */
const isUntimed = `exchange NOT GLOB '${timedIds}'`

/**
 * The sums of all calls have `scope` 0, the sums of one owner `scope` 1. Other rows have no index by exchange: it would cost the
 * writer more than all else together, since each row changes another page of it.
 */
const schema = `
  CREATE TABLE IF NOT EXISTS ledger_rows (
    at INTEGER NOT NULL,
    exchange TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    row TEXT NOT NULL,
    PRIMARY KEY (at, exchange, attempt)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS ledger_untimed ON ledger_rows (exchange) WHERE ${isUntimed};
  CREATE TABLE IF NOT EXISTS ledger_sums (
    step INTEGER NOT NULL,
    scope INTEGER NOT NULL,
    start INTEGER NOT NULL,
    team TEXT NOT NULL,
    key_id TEXT NOT NULL,
    model TEXT NOT NULL,
    account_id TEXT NOT NULL,
    sums TEXT NOT NULL,
    PRIMARY KEY (step, scope, start, team, key_id, model, account_id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS ledger_batches (
    id TEXT PRIMARY KEY,
    at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS ledger_size (rows INTEGER NOT NULL) STRICT;
  INSERT INTO ledger_size SELECT count(*) FROM ledger_rows WHERE NOT EXISTS (SELECT 1 FROM ledger_size);
`

/** Expired records that one statement deletes: other writes wait for it. */
const mostDeleted = 500

/** Writes delete what has expired each time that so many rows and sums have been written. */
const writesBetween = 200

/** Whether a ledger was ever written to a database. */
export function hasLedger(database: DatabaseSync): boolean {
  const known = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'ledger_size'")
  return known.get() !== undefined
}

/** Creates the tables of the ledger where they are missing. */
function createLedgerTables(database: DatabaseSync): void {
  if (!hasLedger(database)) database.exec(schema)
}

/** The writes of the ledger in a database with its tables. Its functions throw the errors of SQLite. */
interface LedgerWrites {
  /** Must run in a transaction. `now`: milliseconds since 1970. */
  append(batch: LedgerBatch, now: number): void
  /** Deletes some of what has expired. */
  expire(now: number): void
}

/** Prepares the writes. `mostRows`: beyond these the oldest rows are deleted; their sums stay. */
export function prepareLedgerWrites(database: DatabaseSync, mostRows: number): LedgerWrites {
  createLedgerTables(database)
  const insertRow = database.prepare(
    'INSERT OR IGNORE INTO ledger_rows (at, exchange, attempt, row) VALUES (?, ?, ?, ?)',
  )
  const insertBatch = database.prepare(
    'INSERT OR IGNORE INTO ledger_batches (id, at) VALUES (?, ?)',
  )
  const ofBucket =
    'step = ? AND scope = ? AND start = ? AND team = ? AND key_id = ? AND model = ? AND account_id = ?'
  const read = database.prepare(`SELECT sums FROM ledger_sums WHERE ${ofBucket}`)
  const insertSums = database.prepare(
    `INSERT INTO ledger_sums (step, scope, start, team, key_id, model, account_id, sums)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const updateSums = database.prepare(`UPDATE ledger_sums SET sums = ? WHERE ${ofBucket}`)
  const size = database.prepare('SELECT rows FROM ledger_size')
  const grow = database.prepare('UPDATE ledger_size SET rows = rows + ?')
  // A range of rows: a list of them would be searched one by one, which takes a quarter more. With `hasOldSums` it takes
  // a row from 7.0 us to 5.9 in memory, and from 6.4 to 5.1 in a file.
  const deleteOldRows = database.prepare(
    `DELETE FROM ledger_rows WHERE (at, exchange, attempt) <=
      (SELECT at, exchange, attempt FROM
        (SELECT at, exchange, attempt FROM ledger_rows WHERE at < ?
          ORDER BY at, exchange, attempt LIMIT ?)
        ORDER BY at DESC, exchange DESC, attempt DESC LIMIT 1)`,
  )
  const hasOldSums = database.prepare(
    'SELECT 1 FROM ledger_sums WHERE step = ? AND scope = ? AND start < ? LIMIT 1',
  )
  const deleteSums = database.prepare(
    `DELETE FROM ledger_sums WHERE (step, scope, start, team, key_id, model, account_id) IN
      (SELECT step, scope, start, team, key_id, model, account_id FROM ledger_sums
        WHERE step = ? AND scope = ? AND start < ? LIMIT ?)`,
  )
  const deleteBatches = database.prepare(
    `DELETE FROM ledger_batches WHERE id IN (SELECT id FROM ledger_batches WHERE at < ? LIMIT ?)`,
  )

  let written = 0

  function expire(now: number): void {
    const most = mostDeleted
    let deleted = Number(deleteOldRows.run(now - rowsKeptMs, most).changes)
    const beyond = Number(size.get()?.['rows'] ?? 0) - deleted - mostRows
    if (beyond > 0)
      deleted += Number(deleteOldRows.run(now + rowsKeptMs, Math.min(beyond, most)).changes)
    if (deleted > 0) grow.run(-deleted)
    for (const [step, { keptMs }] of steps.entries()) {
      for (const scope of [0, 1]) {
        const old = [step, scope, now - keptMs] as const
        // The list that the deletion makes costs eight times this question, also where it is empty.
        if (hasOldSums.get(...old)) deleteSums.run(...old, most)
      }
    }
    deleteBatches.run(now - batchesKeptMs, most)
  }

  return {
    append({ id, rows, counts }, now) {
      // The transaction that has created them may have failed.
      createLedgerTables(database)
      const added = rows.filter(
        (row) => insertRow.run(row.at, row.exchange, row.attempt, JSON.stringify(row)).changes > 0,
      )
      const isNew = counts.length > 0 && insertBatch.run(id, now).changes > 0
      for (const { step, start, of, sums } of aggregate(added, isNew ? counts : [])) {
        const { team = '', keyId = '', model = '', accountId = '' } = of ?? {}
        const bucket = [step, of ? 1 : 0, start, team, keyId, model, accountId] as const
        const known = read.get(...bucket)?.['sums']
        written++
        if (known === undefined) insertSums.run(...bucket, JSON.stringify(sums))
        else {
          addSums(sums, JSON.parse(String(known)) as Sums)
          updateSums.run(JSON.stringify(sums), ...bucket)
        }
      }
      if (added.length > 0) grow.run(added.length)
      written += added.length
      if (written < writesBetween) return
      written = 0
      expire(now)
    },
    expire,
  }
}

/** The buckets that a page of sums has. */
const sumsPage = 500

/** Prepares the reads of a database with the tables of the ledger. */
export function prepareLedgerReads(database: DatabaseSync) {
  const forwards = database.prepare(
    `SELECT row FROM ledger_rows WHERE (at, exchange, attempt) > (?, ?, ?)
      ORDER BY at, exchange, attempt LIMIT ?`,
  )
  const backwards = database.prepare(
    `SELECT row FROM ledger_rows WHERE (at, exchange, attempt) < (?, ?, ?)
      ORDER BY at DESC, exchange DESC, attempt DESC LIMIT ?`,
  )
  const behind = `FROM ledger_rows WHERE (at, exchange, attempt) > (?, ?, ?)
    ORDER BY at, exchange, attempt`
  const rowsAt = database.prepare(
    'SELECT row FROM ledger_rows WHERE at = ? AND exchange = ? ORDER BY attempt',
  )
  const timeOfUntimed = database.prepare(
    `SELECT max(at) AS at FROM ledger_rows WHERE exchange = ? AND ${isUntimed}`,
  )
  const timeOf = database.prepare(
    `SELECT at FROM (SELECT at, exchange ${behind} LIMIT ${rowsOfSlice}) WHERE exchange = ? LIMIT 1`,
  )
  const endOfSlice = database.prepare(
    `SELECT at, exchange, attempt ${behind} LIMIT 1 OFFSET ${rowsOfSlice - 1}`,
  )
  const sums = database.prepare(
    `SELECT start, team, key_id, model, account_id, sums FROM ledger_sums
      WHERE step = ? AND scope = ? AND start < ?
        AND (start, team, key_id, model, account_id) > (?, ?, ?, ?, ?)
      ORDER BY start, team, key_id, model, account_id LIMIT ${sumsPage}`,
  )

  return {
    rows({ after, limit, newestFirst = false }: RowsPage): LedgerRow[] {
      const { at, exchange, attempt } = readCursor(after ?? '')
      const isFirst = after === undefined
      return (
        newestFirst
          ? backwards.all(isFirst ? behindAll : at, exchange, attempt, limit)
          : forwards.all(isFirst ? 0 : at, exchange, attempt, limit)
      ).map(rowOf)
    },
    /** The rows of an exchange in one slice after another, until some have been found. */
    async rowsOf(exchange: string): Promise<LedgerRow[]> {
      const begun = timeOfId(exchange)
      if (begun === undefined)
        return rowsAt.all(Number(timeOfUntimed.get(exchange)?.['at'] ?? -1), exchange).map(rowOf)
      let from: [at: number, exchange: string, attempt: number] | undefined = [
        begun - clockStepMs,
        '',
        0,
      ]
      for (let slices = 0; from && slices < mostSlices; slices++) {
        const found = timeOf.get(...from, exchange)
        if (found) return rowsAt.all(Number(found['at']), exchange).map(rowOf)
        const end: Record<string, unknown> | undefined = endOfSlice.get(...from)
        from = end && [Number(end['at']), String(end['exchange']), Number(end['attempt'])]
        await nextTurn()
      }
      return []
    },
    /** A page of sums behind a bucket. */
    sums({ step, from, to, of }: SumsPart, after: BucketSums | undefined): BucketSums[] {
      const index = steps.findIndex(({ name }) => name === step)
      const { start = from, team = '', keyId = '', model = '', accountId = '' } = after ?? {}
      // The sums of all calls have no owner: the row value of the first bucket itself is not behind it.
      const first = after ? start : start - 1
      const last = after
        ? [team, keyId, model, accountId]
        : [greatest, greatest, greatest, greatest]
      const found = sums.all(index, of === 'all' ? 0 : 1, to, first, ...last)
      return found.map((row) => ({
        start: Number(row['start']),
        team: String(row['team']),
        keyId: String(row['key_id']),
        model: String(row['model']),
        accountId: String(row['account_id']),
        sums: JSON.parse(String(row['sums'])) as BucketSums['sums'],
      }))
    },
  }
}

/** Behind the time of each row. */
const behindAll = Number.MAX_SAFE_INTEGER

/** Behind all names. */
const greatest = '\u{10ffff}'

/** The rows that a search for an exchange reads at once, and how often: they take a few milliseconds. */
const rowsOfSlice = 5_000
const mostSlices = 100

/** A clock that is set back while a call runs, in milliseconds. */
const clockStepMs = 5_000

function rowOf(found: Record<string, unknown>): LedgerRow {
  return JSON.parse(String(found['row'])) as LedgerRow
}

/** All sums of a part of time, page by page. */
export async function* pagesOf(
  read: (after: BucketSums | undefined) => BucketSums[],
): AsyncGenerator<readonly BucketSums[], void> {
  let after: BucketSums | undefined
  for (;;) {
    const page = read(after)
    if (page.length > 0) yield page
    if (page.length < sumsPage) return
    after = page.at(-1)
  }
}
