/**
 * Where the gateway keeps what must outlive a request. One namespace a noun; values are JSON.
 * Every call rejects with `StoreUnavailable` when the store cannot tell, and answers `undefined`,
 * `false` or an empty list only when it knows.
 */
export interface Store {
  /** The records of one noun. Two namespaces never see each other. */
  records<T>(namespace: string): Records<T>
  /**
   * A number that changes when anybody wrote, another process too. Cheap enough to poll.
   * Throws `StoreUnavailable`.
   */
  version(): number
  close(): Promise<void>
}

/** Identifiers are non-empty strings of whole characters; anything else throws a `TypeError`. */
export interface Records<T> {
  /** `undefined` only for a true miss: never written, deleted or expired. */
  get(id: string): Promise<T | undefined>
  /** Resolves once the record survives the death of this process. */
  set(id: string, value: T, options?: WriteOptions): Promise<void>
  /** As `set`, where no record of this id exists; whether it was written. */
  add(id: string, value: T, options?: WriteOptions): Promise<boolean>
  /** Whether there was something to delete. */
  delete(id: string): Promise<boolean>
  /** In the order of the identifiers' UTF-8 bytes, from the first one after `after`. */
  list(options?: ListOptions): Promise<Array<{ id: string; value: T }>>
}

export interface WriteOptions {
  /** Milliseconds until the record is gone. Absent: never. Must be above zero. */
  readonly ttlMs?: number
}

export interface ListOptions {
  /** An identifier, which need not exist. */
  readonly after?: string
  /** At most so many records; 1000 where absent. */
  readonly limit?: number
}

/** The store cannot tell. Never to be taken for "not found". */
export class StoreUnavailable extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'StoreUnavailable'
  }
}
