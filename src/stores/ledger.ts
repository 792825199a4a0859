import type { LedgerRow } from '../contract/ledger-row.ts'
import type { Sums } from './ledger-sums.ts'

/**
 * What calls have used: one row for each attempt, and their sums. Every call rejects with `StoreUnavailable` when the
 * store fails.
 */
export interface Ledger {
  /**
   * Writes rows and their sums in one step. Resolves when both survive the end of this process. A row that is there
   * already changes nothing, nor do the counts of a batch that is: a batch may be appended again.
   */
  append(batch: LedgerBatch): Promise<void>
  /** A page of rows in the order of their cursors, see `cursorOf`. */
  rows(page: RowsPage): Promise<LedgerRow[]>
  /**
   * The rows of an exchange or a job, the first attempt first. A store with SQL finds those whose id begins with its time
   * (`timeOfId`) within a bounded number of rows since then.
   */
  rowsOf(exchange: string): Promise<LedgerRow[]>
  /** The sums of a part of time, the oldest bucket first, page by page. */
  sums(part: SumsPart): AsyncGenerator<readonly BucketSums[], void>
}

/** Rows and counts that are written together. */
export interface LedgerBatch {
  /** Unique among all processes. */
  readonly id: string
  readonly rows: readonly LedgerRow[]
  readonly counts: readonly LedgerCount[]
}

/** Sums that belong to no row: calls without an attempt, and minutes of which a process has an account. */
export interface LedgerCount extends Partial<SumsOf> {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly sums: Sums
}

/** Whose sums they are. '' stands for none. */
export interface SumsOf {
  readonly team: string
  readonly keyId: string
  readonly model: string
  readonly accountId: string
}

/** The sums of a bucket of time. */
export interface BucketSums extends SumsOf {
  /** In milliseconds since 1970. */
  readonly start: number
  readonly sums: Sums
}

/** A page of rows. */
export interface RowsPage {
  /** The page begins behind this cursor. Absent: at the first row. */
  readonly after?: string | undefined
  readonly limit: number
  readonly newestFirst?: boolean | undefined
}

/** The size of a bucket. */
export type Step = (typeof steps)[number]['name']

/** Which sums to read. */
export interface SumsPart {
  readonly step: Step
  /** The start of the first bucket, and the moment behind the last. */
  readonly from: number
  readonly to: number
  /** One for all calls of a bucket, or one for each team, key, model and account. */
  readonly of: 'all' | 'each'
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** The buckets that each attempt is counted in, and how long they are stored. The days are days of UTC. */
export const steps = [
  { name: 'minute', ms: minuteMs, keptMs: 3 * hourMs },
  { name: 'tenMinutes', ms: 10 * minuteMs, keptMs: 3 * dayMs },
  { name: 'hour', ms: hourMs, keptMs: 90 * dayMs },
  { name: 'day', ms: dayMs, keptMs: 400 * dayMs },
] as const

/** How long rows are stored, in milliseconds. */
export const rowsKeptMs = 30 * dayMs

/** How long the ids of batches with counts are stored: no process appends a batch again later. */
export const batchesKeptMs = dayMs

/** The position of a row among all rows: later ones have greater cursors. */
export function cursorOf({ at, exchange, attempt }: LedgerRow): string {
  return `${firstCursorOf(at)}-${exchange}:${String(attempt).padStart(4, '0')}`
}

/** The name of the end of the response in the background that an exchange has ordered. It ends at another time. */
export function responseJobId(exchange: string): string {
  return `job-${exchange}`
}

/** A text before the cursors of all rows since a time, and behind all others. */
export function firstCursorOf(at: number): string {
  return String(Math.min(latest, Math.max(0, Math.ceil(at)))).padStart(15, '0')
}

const latest = 999_999_999_999_999

/** The parts of the cursor of a row, or of the beginning of one. */
export function readCursor(cursor: string): Pick<LedgerRow, 'at' | 'exchange' | 'attempt'> {
  const [, at = '0', exchange = '', attempt = '0'] =
    /^(\d{15})(?:-(.*):(\d{4,}))?$/s.exec(cursor) ?? []
  return { at: Number(at), exchange, attempt: Number(attempt) }
}

/** When the gateway made the id of an exchange; `undefined` for ids of jobs and of hosts. */
export function timeOfId(exchange: string): number | undefined {
  const [, high = '', low = ''] = /^req_([\da-f]{8})-([\da-f]{4})-7/.exec(exchange) ?? []
  return high === '' ? undefined : Number.parseInt(high + low, 16)
}

/** The ids with a time, see `timeOfId`, as a pattern of SQL's `GLOB`. */
export const timedIds = `req_${'[0-9a-f]'.repeat(8)}-${'[0-9a-f]'.repeat(4)}-7*`

/** The form of the cursors of rows. */
export const cursorForm = /^\d{15}(?:-.*:\d{4,6})?$/s
