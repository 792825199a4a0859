/**
 * Data of an earlier reply that an account stores under an id: an item of a response, a container in
 * which tools ran, a file that a tool made, a cached content, spoken audio, a message of a thread, or a response. It belongs to
 * the API key that got the reply.
 */
export interface StoredData {
  readonly kind: 'item' | 'container' | 'file' | 'cache' | 'audio' | 'message' | 'response'
  readonly id: string
}

/** Data of an earlier reply that a request names. */
export interface NamedData extends StoredData {
  /** The path of the request field that names it. */
  readonly field: string
  /**
   * Whether only the account that stores the data can serve the call. Otherwise an account of another
   * dialect takes the call without the data.
   */
  readonly isReference: boolean
  /** The request of a batch that names it. Absent: the call itself does. */
  readonly within?: BatchPlace
}

/** Where a request of a batch stands, for errors about it. */
export interface BatchPlace {
  /** In the message: `Line 7`, or the field of the request. */
  readonly place: string
  /** From 1. */
  readonly number: number
  readonly param: string
}

/** Whether an account may have such data for all keys too: it is unknown only to others than a known owner. */
export function mayBeShared({ kind }: StoredData): boolean {
  return kind === 'file' || kind === 'cache'
}
