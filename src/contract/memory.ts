/**
 * The uses of memory: a request's bytes, its decompressed bytes, its parsed JSON with the values made from it,
 * uploads that are read into it, stored replies of earlier calls, an account's reply, a
 * stream that is translated, and bytes of a stream that its client does not take.
 */
export type MemoryUse =
  | 'body'
  | 'decoded'
  | 'tree'
  | 'uploads'
  | 'stored'
  | 'reply'
  | 'stream'
  | 'unsent'

/** The first bytes of each use, which belong to the memory of a call itself. */
export const freeBytes = 4 * 1024

/** The memory that an exchange holds of its process's budget. Disposing it returns all of it. */
export interface MemoryLease extends Disposable {
  /** The id of the API key of the exchange. Absent: the memory is not counted. */
  readonly keyId?: string
  /** The bytes held for a use. */
  held(use: MemoryUse): number
  /**
   * Sets the bytes held for a use. Less is effective at once; so is more, if there is room: then it
   * returns `undefined`. Else the promise resolves when others have made room, and rejects with
   * `GatewayError` `memory_full` if they do not soon enough. It resolves at once when a later call for the
   * use is effective, which replaces it.
   */
  hold(use: MemoryUse, bytes: number): Promise<void> | undefined
}

/** The memory of a process for bodies and replies. */
export interface MemoryBudget {
  /**
   * A lease without memory, for an exchange of a key. Throws `GatewayError` `rate_limited` if the key has too many, and
   * `memory_full` if the process has.
   */
  lease(keyId: string): MemoryLease
}
