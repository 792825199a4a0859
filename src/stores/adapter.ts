type MaybePromise<T> = T | Promise<T>

/**
 * What a kind of store implements, for one namespace. Envelopes are opaque strings. An expired
 * record is a missing one. Failures throw `StoreUnavailable`.
 */
export interface RecordsAdapter {
  get(id: string): MaybePromise<string | undefined>
  set(id: string, envelope: string, ttlMs?: number): MaybePromise<void>
  add(id: string, envelope: string, ttlMs?: number): MaybePromise<boolean>
  delete(id: string): MaybePromise<boolean>
  clear(): MaybePromise<void>
  range(after: string | undefined, limit: number): MaybePromise<Array<Stored>>
}

export interface Stored {
  readonly id: string
  readonly envelope: string
}
