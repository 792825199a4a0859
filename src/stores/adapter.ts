import type { MaybePromise } from '../lib/maybe-promise.ts'
import type { ScanOptions, ScanPage } from './store.ts'

/**
 * The operations of a kind of store on one namespace. Envelopes are opaque strings. An expired
 * record is a missing record. Failures throw `StoreUnavailable`.
 */
export interface RecordsAdapter {
  /** The envelope of a record; `undefined` for a missing one. */
  get(id: string): MaybePromise<string | undefined>
  /** The envelopes, in the order of `ids`. */
  getMany(ids: readonly string[]): MaybePromise<(string | undefined)[]>
  /** Writes a record. It expires after `ttlMs` milliseconds, or never. */
  set(id: string, envelope: string, ttlMs?: number): MaybePromise<void>
  setMany(entries: readonly StoredEntry[]): MaybePromise<void>
  /** Writes a record that is missing; whether it was written. */
  add(id: string, envelope: string, ttlMs?: number): MaybePromise<boolean>
  /** Replaces `expected` by `envelope`, without changing the expiry; whether it was written. */
  replace(id: string, expected: string, envelope: string): MaybePromise<boolean>
  /** Deletes a record; whether it existed. */
  delete(id: string): MaybePromise<boolean>
  /** Deletes a record with the envelope `expected`; whether it did. */
  deleteIf(id: string, expected: string): MaybePromise<boolean>
  clear(): MaybePromise<void>
  /** A page of records behind the id `after`, or before it. For listed namespaces only. */
  range(after: string | undefined, limit: number, order: ListOrder): MaybePromise<StoredValue[]>
  /** A page of records in the store's own order. Throws `InvalidCursor`. */
  scan(options: AdapterScan): MaybePromise<StoredPage>
  /** A text that changes with every write. For listed namespaces only. */
  version(): MaybePromise<string>
}

/** The order of ids in a list. */
export type ListOrder = 'ascending' | 'descending'

/** A record as an adapter returns it. */
export interface StoredValue {
  readonly id: string
  readonly envelope: string
}

/** The page of a scan, see `ScanOptions`. */
export type AdapterScan = ScanOptions & { readonly limit: number }

/** Records of a scan. */
export interface StoredPage extends Omit<ScanPage, 'records'> {
  readonly records: readonly StoredHead[]
}

/** The longest beginning of an envelope that a scan reads, in characters or bytes. */
export const headLength = 16 * 1024

/** A record of a scan. */
interface StoredHead {
  readonly id: string
  readonly cursor: string
  /** The first `headLength` characters or bytes of the envelope. */
  readonly head: string
}

/** A record to write, with its time to live in milliseconds; absent: for ever. */
export interface StoredEntry extends StoredValue {
  readonly ttlMs?: number | undefined
}
