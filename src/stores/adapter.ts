import type { MaybePromise } from '../lib/maybe-promise.ts'

/**
 * What a kind of store implements, for one namespace. Envelopes are opaque strings. An expired
 * record is a missing one. Failures throw `StoreUnavailable`.
 */
export interface RecordsAdapter {
  get(id: string): MaybePromise<string | undefined>
  /** In the order asked. */
  getMany(ids: readonly string[]): MaybePromise<(string | undefined)[]>
  set(id: string, envelope: string, ttlMs?: number): MaybePromise<void>
  setMany(entries: readonly StoredEntry[]): MaybePromise<void>
  add(id: string, envelope: string, ttlMs?: number): MaybePromise<boolean>
  /** Writes `envelope` where `expected` still stands, and leaves the expiry as it is. */
  replace(id: string, expected: string, envelope: string): MaybePromise<boolean>
  delete(id: string): MaybePromise<boolean>
  clear(): MaybePromise<void>
  /** Of a listed namespace. */
  range(after: string | undefined, limit: number): MaybePromise<StoredValue[]>
  /** Of a listed namespace: another one after every write. */
  version(): MaybePromise<string>
}

export interface StoredValue {
  readonly id: string
  readonly envelope: string
}

export interface StoredEntry extends StoredValue {
  readonly ttlMs?: number | undefined
}
