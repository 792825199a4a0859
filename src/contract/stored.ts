import type { JsonObject } from '../lib/json/object.ts'
import type { Reply } from './outcome.ts'

/** A resource that the gateway stores, in the client's dialect, because the account does not store it. */
export interface StoredResource {
  readonly value: JsonObject
  /**
   * Replaces the value. Resolves with the new value, or with `undefined` if the resource has been
   * deleted. Rejects if the store fails.
   */
  update(next: ResourceUpdate): Promise<JsonObject | undefined>
  /** Like `update`, but queued and retried if the store fails. `next` must be idempotent. */
  updateLater(next: ResourceUpdate): Promise<void>
  /** Rejects if the store fails. */
  delete(): Promise<void>
}

/** Computes a resource's new value from the old one. */
export type ResourceUpdate = (value: JsonObject) => JsonObject

/** How a dialect stores transcripts, so that later requests can continue from a reply. */
export interface TranscriptStore {
  /**
   * Returns the transcript of a request and its reply, or `undefined` if the client disables storage.
   * `events` is the number of events of a streamed reply.
   */
  transcriptOf(request: Conversation, reply: JsonObject, events?: number): JsonObject | undefined
  /** Whether a reply is complete, so that a request can continue it. */
  isComplete(reply: JsonObject): boolean
  /** All items of a transcript, each with its id. */
  items(transcript: JsonObject): readonly JsonObject[]
  /** The items of the reply, which later requests can name by their ids. */
  producedItems(transcript: JsonObject): readonly JsonObject[]
  /** Returns the transcript with items that a request names. */
  withReferenced(transcript: JsonObject, items: readonly JsonObject[]): JsonObject
  /** Puts a transcript before a request's own items. */
  resume(body: JsonObject, transcript: JsonObject): Omit<Conversation, 'body'>
  /** Appends a request and its reply to a transcript; unchanged if it contains the reply already. */
  append(transcript: JsonObject, request: Conversation, reply: JsonObject): JsonObject
}

/** A client's request, alone and with its history. */
export interface Conversation {
  /** As the client sent it. */
  readonly body: JsonObject
  /** The same with the items of the transcript before its own. */
  readonly resumed: JsonObject
  /** The number of items of `resumed` that come from the transcript. */
  readonly before: number
  /** The account has a part of the history that the gateway does not have. */
  readonly isPartial?: boolean
}

/** A resource that the gateway creates without an account, and the reply to its creation. */
export interface CreatedResource {
  readonly kind: string
  readonly id: string
  readonly value: JsonObject
  readonly reply: Reply
}
