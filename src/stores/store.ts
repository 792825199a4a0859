/**
 * Where the gateway keeps what must outlive a request. One namespace a noun; values are JSON.
 * Every call ends within the store's own deadline, rejects with `StoreUnavailable` when the store
 * cannot tell, and answers `undefined`, `false` or an empty list only when it knows.
 */
export interface Store {
  /** The records of one noun. Two namespaces never see each other. */
  records<T>(namespace: string, options?: RecordsOptions): Records<T>
  counters(namespace: string): Counters
  close(): Promise<void>
}

export interface RecordsOptions {
  /**
   * An index is kept, for `list` and `version`. Always open a namespace in the same way. Not for
   * what is written with every request.
   */
  readonly listed?: boolean
}

/** Identifiers are non-empty strings of whole characters; anything else throws a `TypeError`. */
export interface Records<T> {
  /** `undefined` only for a true miss: never written, deleted or expired. */
  get(id: string): Promise<T | undefined>
  /** In the order asked, in one round trip. */
  getMany(ids: readonly string[]): Promise<(T | undefined)[]>
  /** Resolves once the record survives the death of this process. */
  set(id: string, value: T, options?: WriteOptions): Promise<void>
  /** In one round trip. After a failure some of them may be there. */
  setMany(entries: readonly Entry<T>[]): Promise<void>
  /** As `set`, where no record of this id exists; whether it was written. */
  add(id: string, value: T, options?: WriteOptions): Promise<boolean>
  /**
   * Reads, changes and writes as one step, whoever else does the same. `change` may be called
   * again; it answers `undefined` to leave the record alone. Resolves with what stands in the end,
   * `undefined` where there is no such record. The expiry stays.
   */
  update(id: string, change: (value: T) => T | undefined): Promise<T | undefined>
  /** Whether there was something to delete. */
  delete(id: string): Promise<boolean>
  /**
   * In the order of the identifiers' UTF-8 bytes, from the first one after `after`. Only of listed
   * namespaces; of others it rejects with a `TypeError`, as `version` does.
   */
  list(options?: ListOptions): Promise<Array<{ id: string; value: T }>>
  /** Another one after every write of anybody to this namespace. Cheap enough to poll. */
  version(): Promise<string>
}

/** Numbers that many may add to at once. */
export interface Counters {
  /** The sum after adding. The time to live counts from the first addition. */
  add(id: string, by: number, options?: WriteOptions): Promise<number>
  /** 0 where nothing was added. */
  get(id: string): Promise<number>
}

export interface WriteOptions {
  /** Milliseconds until the record is gone. Absent: never. Must be above zero. */
  readonly ttlMs?: number
}

export interface Entry<T> extends WriteOptions {
  readonly id: string
  readonly value: T
}

export interface ListOptions {
  /** An identifier, which need not exist. */
  readonly after?: string
  /** At most so many records; 1000 where absent. */
  readonly limit?: number
}

/** How long a call may take before it rejects, in milliseconds. */
export const storeDeadlineMs = 300

/** The store cannot tell. Never to be taken for "not found". */
export class StoreUnavailable extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'StoreUnavailable'
  }
}
