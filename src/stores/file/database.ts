import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { StoreUnavailable } from '../store.ts'

const schemaVersion = 2

/** How long a write waits for another process's write, in milliseconds. */
const busyTimeout = 5000

/** Between two attempts at opening, in milliseconds. */
const busyPause = 10

const schema = `
  CREATE TABLE IF NOT EXISTS versions (
    namespace TEXT PRIMARY KEY,
    version INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS counters (
    namespace TEXT NOT NULL,
    id TEXT NOT NULL,
    value REAL NOT NULL,
    expires INTEGER,
    PRIMARY KEY (namespace, id)
  ) STRICT, WITHOUT ROWID;
  PRAGMA user_version = ${schemaVersion};
`

/** Where a store's records are. */
export function databaseFile(directory: string): string {
  return join(directory, 'store.sqlite')
}

/** Step by step: Node's own recursion never ends where a file system refuses with ENOENT (/proc). */
function makeDirectory(directory: string): void {
  if (existsSync(directory)) return
  makeDirectory(dirname(directory))
  try {
    mkdirSync(directory, { mode: 0o700 })
  } catch (error) {
    // Another process may have been faster.
    if (!existsSync(directory)) throw error
  }
}

/**
 * Opens the store's database in a directory, and makes both where they are missing: readable by
 * their owner alone, for what is kept here says who may use the gateway.
 * Throws `StoreUnavailable` with the path and the reason.
 */
export function openDatabase(directory: string): DatabaseSync {
  const file = databaseFile(directory)
  try {
    makeDirectory(directory)
    // SQLite would make it readable by all; its -wal and -shm files follow the mode of this one.
    closeSync(openSync(file, 'a', 0o600))
  } catch (cause) {
    throw new StoreUnavailable(`The store directory ${directory} ${whyNot(cause)}`, { cause })
  }
  return prepared(file)
}

/**
 * SQLite answers at once, whatever its patience, when two processes make the same new file a
 * write-ahead one: then it is tried again.
 */
function prepared(file: string, until = performance.now() + busyTimeout): DatabaseSync {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { timeout: busyTimeout })
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    assertKnownSchema(database, file)
    database.exec(`BEGIN IMMEDIATE; ${schema}`)
    divideRecords(database)
    database.exec('COMMIT')
    return database
  } catch (cause) {
    database?.close()
    if (cause instanceof StoreUnavailable) throw cause
    if (isBusy(cause) && performance.now() < until) {
      pause(busyPause)
      return prepared(file, until)
    }
    throw new StoreUnavailable(`The store ${file} cannot be opened: ${messageOf(cause)}.`, {
      cause,
    })
  }
}

/**
 * The table of a namespace's records, made where it is missing. Each has its own: what is kept by
 * the million is then read and written without the rest in between.
 */
export function recordsTable(database: DatabaseSync, namespace: string): string {
  const table = `records_${namespace}`
  const known = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
  if (!known.get(table)) {
    database.exec(`CREATE TABLE IF NOT EXISTS ${quoted(table)} (
      id TEXT PRIMARY KEY,
      envelope TEXT NOT NULL,
      expires INTEGER
    ) STRICT, WITHOUT ROWID`)
  }
  return quoted(table)
}

/** The tables of all namespaces that were ever opened. */
export function recordsTables(database: DatabaseSync): string[] {
  const tables = database.prepare(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'records_*'",
  )
  return tables.all().map(({ name }) => quoted(String(name)))
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Stores of the first schema have the records of all namespaces in one table. */
function divideRecords(database: DatabaseSync): void {
  const old = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'records'")
  if (!old.get()) return
  for (const row of database.prepare('SELECT DISTINCT namespace FROM records').all()) {
    const namespace = String(row['namespace'])
    database
      .prepare(
        `INSERT OR IGNORE INTO ${recordsTable(database, namespace)}
          SELECT id, envelope, expires FROM records WHERE namespace = ?`,
      )
      .run(namespace)
  }
  database.exec('DROP TABLE records')
}

function assertKnownSchema(database: DatabaseSync, file: string): void {
  const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version'])
  if (version <= schemaVersion) return
  throw new StoreUnavailable(`The store ${file} was written by a later version of Dragoman.`)
}

/** SQLITE_BUSY. */
function isBusy(cause: unknown): boolean {
  return cause instanceof Error && 'errcode' in cause && cause.errcode === 5
}

function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

function whyNot(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `cannot be written by this user (${code}).`
    case 'ENOTDIR':
    case 'EEXIST':
      return `cannot be made: a file is in the way (${code}).`
    default:
      return `cannot be used: ${messageOf(cause)}.`
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
