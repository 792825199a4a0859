import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { meterSchema } from '../sql-meter.ts'
import { StoreUnavailable } from '../store.ts'

const schemaVersion = 2

/** The time that a write waits for another process's write, in milliseconds. */
const busyTimeoutMs = 5000

/** The pause between two attempts to open the database, in milliseconds. */
const busyPauseMs = 10

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
  ${meterSchema}
  PRAGMA user_version = ${schemaVersion};
`

/** The path of the database in a store's directory. */
export function databaseFile(directory: string): string {
  return join(directory, 'store.sqlite')
}

/** Not `recursive`: Node's recursion never ends where a file system fails with ENOENT (/proc). */
function makeDirectory(directory: string): void {
  if (existsSync(directory)) return
  makeDirectory(dirname(directory))
  try {
    mkdirSync(directory, { mode: 0o700 })
  } catch (error) {
    // Another process may have created it.
    if (!existsSync(directory)) throw error
  }
}

/**
 * Opens the store's database in a directory, and creates both if they are missing. Only their owner
 * can read them, since they decide about access to the gateway.
 * Throws `StoreUnavailable` with the path and the reason.
 */
export function openDatabase(directory: string): DatabaseSync {
  const file = databaseFile(directory)
  try {
    makeDirectory(directory)
    // SQLite would create a file that all users can read. Its -wal and -shm files copy the mode.
    closeSync(openSync(file, 'a', 0o600))
  } catch (cause) {
    throw new StoreUnavailable(`The store directory ${directory} ${explainFailure(cause)}`, {
      cause,
    })
  }
  return openMigrated(file)
}

/**
 * Opens and migrates the database. When two processes switch a new file to write-ahead logging,
 * SQLite fails at once despite its timeout: then this tries again.
 */
function openMigrated(file: string, until = performance.now() + busyTimeoutMs): DatabaseSync {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { timeout: busyTimeoutMs })
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    assertKnownSchema(database, file)
    database.exec(`BEGIN IMMEDIATE; ${schema}`)
    migrateRecords(database)
    database.exec('COMMIT')
    return database
  } catch (cause) {
    database?.close()
    if (cause instanceof StoreUnavailable) throw cause
    if (isBusy(cause) && performance.now() < until) {
      pause(busyPauseMs)
      return openMigrated(file, until)
    }
    throw new StoreUnavailable(`The store ${file} cannot be opened: ${messageOf(cause)}.`, {
      cause,
    })
  }
}

/**
 * The quoted name of a namespace's table, which is created if it is missing. Each namespace has a
 * table of its own, so that millions of records of one do not slow down the others.
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

/** The quoted names of the tables of all namespaces that were ever opened. */
export function recordsTables(database: DatabaseSync): string[] {
  const tables = database.prepare(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'records_*'",
  )
  return tables.all().map(({ name }) => quoted(String(name)))
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Moves the records of the first schema, which are in one table, to tables of their namespaces. */
function migrateRecords(database: DatabaseSync): void {
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

function explainFailure(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `cannot be written by this user (${code}).`
    case 'ENOTDIR':
    case 'EEXIST':
      return `cannot be created: a file is in the way (${code}).`
    default:
      return `cannot be used: ${messageOf(cause)}.`
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
