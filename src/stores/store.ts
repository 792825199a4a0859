import type { Bus } from './bus.ts'
import type { Meter } from './meter.ts'
import type { Ledger } from './ledger.ts'

/**
 * Stores the records that must outlive a request: one namespace for each kind of record, values in
 * JSON. Every call ends within the deadline of the store. It rejects with `StoreUnavailable` when
 * the store fails, and returns `undefined`, `false` or an empty list only for missing records.
 */
export interface Store {
  /** The records of one namespace, apart from all other namespaces. */
  records<T>(namespace: string, options?: RecordsOptions): Records<T>
  counters(namespace: string): Counters
  /** Counts what limits measure. */
  meter(): Meter
  /** What calls have used. */
  ledger(): Ledger
  /**
   * The text of a key that belongs to a store of this machine, for secrets where the environment has no
   * key. Creates it at the first call. Absent on a store that several machines share. Throws
   * `StoreUnavailable`.
   */
  ownSecretKey?(): string
  /**
   * Opens the bus between the processes on the store, for the process of an id. Resolves also where it connects
   * later; `onError` is called when messages are lost.
   */
  openBus(self: string, onError: (error: unknown) => void): Promise<Bus>
  close(): Promise<void>
}

/** The options of a namespace. They must be the same each time that it is opened. */
export interface RecordsOptions {
  /** Maintains an index, for `list` and `version`. Too slow for writes with every request. */
  readonly listed?: boolean
  /**
   * The values are plain JSON, without `toJSON`, and changes write into none. Large ones are written in
   * turns of the event loop, and changes that wait for each other are made together.
   */
  readonly isPlain?: boolean
}

/** How records are read for a call. */
export interface ReadOptions {
  /**
   * Called with the memory of large records, in bytes, before they are parsed. The read waits for its
   * promise, and rejects as it does.
   */
  readonly admit?: (bytes: number) => Promise<void> | undefined
  /** The id of the API key whose call it is: see `Turns`. */
  readonly owner?: string | undefined
}

/**
 * The records of a namespace. Ids are non-empty, well-formed strings; others throw a `TypeError`.
 */
export interface Records<T> {
  /**
   * `undefined` only for a missing record: never written, deleted or expired. Rejects with
   * `UnreadableRecord` for a damaged one.
   */
  get(id: string, options?: ReadOptions): Promise<T | undefined>
  /**
   * The values in the order of `ids`; `undefined` for a damaged record too. In one round trip without
   * `admit`, else in several for many ids: all of them could be large.
   */
  getMany(ids: readonly string[], options?: ReadOptions): Promise<(T | undefined)[]>
  /** Writes a record. Resolves when it survives the end of this process. */
  set(id: string, value: T, options?: WriteOptions): Promise<void>
  /** Writes records in one round trip. After a failure, some of them may be written. */
  setMany(entries: readonly Entry<T>[]): Promise<void>
  /** Writes a record if none of this id exists; whether it was written. */
  add(id: string, value: T, options?: WriteOptions): Promise<boolean>
  /**
   * Reads, changes and writes a record in one step, despite concurrent updates. `change` may be
   * called several times; it returns `undefined` to leave the record unchanged. Resolves with the
   * resulting value; `undefined` for a missing record. The expiry stays the same.
   */
  update(id: string, change: (value: T) => T | undefined): Promise<T | undefined>
  /** Deletes a record; whether it existed. */
  delete(id: string): Promise<boolean>
  /**
   * Deletes a record with a value that `matches` accepts, in one step, despite concurrent updates; whether
   * it did. `matches` may be called several times, and throws nothing. Rejects with `UnreadableRecord` for a
   * damaged record.
   */
  deleteIf(id: string, matches: (value: T) => boolean): Promise<boolean>
  /**
   * A page of records in the order of the UTF-8 bytes of their ids. For namespaces that are not
   * listed, it rejects with a `TypeError`, as `version` does.
   */
  list(options?: ListOptions): Promise<ListedRecord<T>[]>
  /**
   * A page of records in the store's own order, which needs no index: for administrators, of any
   * namespace. Records that are written or deleted meanwhile may be missing; every other one is in a
   * page, and in one only, unless the servers of Redis or the size of its table change meanwhile. Damaged
   * records are left out. Rejects with `InvalidCursor`.
   */
  scan(options?: ScanOptions): Promise<ScanPage>
  /** A text that changes with every write of any process. Cheap enough to poll. */
  version(): Promise<string>
}

/** Numbers that all processes on the store add to atomically, for plugins that count across processes. */
export interface Counters {
  /** Adds in one step. The time to live counts from the first addition. */
  add(id: string, by: number, options?: WriteOptions): Promise<Counted>
  /** 0 where nothing was added. */
  get(id: string): Promise<number>
}

/** A counter after an addition. */
export interface Counted {
  readonly total: number
  /** Milliseconds until the counter begins anew; `Infinity` for one without a time to live. */
  readonly remainingMs: number
}

/** A record of a list. The value of a damaged record is `undefined`. */
export interface ListedRecord<T> {
  readonly id: string
  readonly value: T | undefined
}

/** The options of a write. */
export interface WriteOptions {
  /** Milliseconds until the record expires; greater than zero. Absent: never. */
  readonly ttlMs?: number
}

/** A record to write. */
export interface Entry<T> extends WriteOptions {
  readonly id: string
  readonly value: T
}

/** The page of a list. */
export interface ListOptions {
  /** The greatest id first: for ids in the order of time, the newest. */
  readonly newestFirst?: boolean
  /** The list begins behind this id, which need not exist. Absent: at the first record. */
  readonly after?: string
  /** The maximum number of records; by default 1000. */
  readonly limit?: number
}

/** The page of a scan. */
export interface ScanOptions {
  /** The cursor of a record, or the `next` of a page. Absent: at the first record. */
  readonly cursor?: string | undefined
  /** The number of records to examine; by default 250. Redis examines more where few are of the namespace. */
  readonly limit?: number
  /** Only records whose ids begin with it. */
  readonly prefix?: string | undefined
  /** Only records with such ids: the values of others are not read. */
  readonly wants?: (id: string) => boolean
}

/** Records of a scan, and where it continues. */
export interface ScanPage {
  /** May be empty although more follow. */
  readonly records: readonly ScannedRecord[]
  /** The number of examined records, including records of other namespaces. */
  readonly examined: number
  /** The cursor behind the page. Absent: nothing follows. */
  readonly next?: string
}

/** A record of a scan. */
export interface ScannedRecord {
  readonly id: string
  /** Unchecked. A value beyond 16 KiB has only the members up to its first list or object, which is empty. */
  readonly value: unknown
  /** Where a scan continues behind this record. */
  readonly cursor: string
}

/** The time after which a call rejects, in milliseconds. */
export const storeDeadlineMs = 300

/** The store failed. This error never means "not found". */
export class StoreUnavailable extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'StoreUnavailable'
  }
}

/** A cursor of a scan is malformed, or from another store. */
export class InvalidCursor extends Error {
  constructor() {
    super('The cursor is not one of this store: begin at the first page.')
    this.name = 'InvalidCursor'
  }
}

/** One record cannot be read; the store itself works, so that waiting does not help. */
export class UnreadableRecord extends StoreUnavailable {
  constructor() {
    super('A record in the store is damaged.')
    this.name = 'UnreadableRecord'
  }
}
