import type { JsonObject } from '../lib/json/object.ts'
import type { Reply } from './outcome.ts'

/** A resource that the gateway keeps itself, for accounts that cannot, in the words of its dialect. */
export interface StoredResource {
  readonly value: JsonObject
  /** Changes it as a whole. `undefined` where it is gone. Rejects where the store cannot tell. */
  update(next: ResourceUpdate): Promise<JsonObject | undefined>
  /**
   * The same for a change that nobody could ask for again: where the store cannot tell, it is tried
   * again later. What the change makes of its own result is that result.
   */
  updateLater(next: ResourceUpdate): Promise<void>
  /** Rejects where the store cannot tell. */
  delete(): Promise<void>
}

export type ResourceUpdate = (value: JsonObject) => JsonObject

/** How a dialect has its replies kept, so that later requests can go on from them. */
export interface TranscriptStore {
  /**
   * What is kept of a reply; nothing where the client does not want that. `events` is how many the
   * client was told it by, of a stream.
   */
  transcriptOf(asked: Conversation, reply: JsonObject, events?: number): JsonObject | undefined
  /** Whether a reply came to its end, so that more can be said after it. */
  isComplete(reply: JsonObject): boolean
  /** All that was said in it, each item with its id. */
  items(kept: JsonObject): readonly JsonObject[]
  /** The items of a reply, which later requests may name by their ids. */
  producedItems(kept: JsonObject): readonly JsonObject[]
  /** What is kept, with items that a request names. */
  withReferenced(kept: JsonObject, items: readonly JsonObject[]): JsonObject
  /** A request with what was kept before it, in full, and how many items that was. */
  resume(body: JsonObject, kept: JsonObject): Omit<Conversation, 'body'>
  /** What is kept of a conversation after one more reply; nothing more where it has it already. */
  append(kept: JsonObject, asked: Conversation, reply: JsonObject): JsonObject
}

/** A client's request as it wrote it, and with all that was said before it. */
export interface Conversation {
  readonly body: JsonObject
  readonly resumed: JsonObject
  /** So many items of it had been said before. */
  readonly before: number
  /** Something was said before that only the account knows. */
  readonly isPartial?: boolean
}

/** What is made where there is no account to make it. */
export interface CreatedResource {
  readonly kind: string
  readonly id: string
  readonly value: JsonObject
  readonly reply: Reply
}
