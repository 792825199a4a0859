import type { JsonObject } from './codec.ts'
import type { Reply, Understood } from './exchange.ts'
import type { MaybePromise } from './maybe-promise.ts'

/** A resource that the gateway keeps itself, for accounts that cannot, in the words of its dialect. */
export interface Kept {
  readonly value: JsonObject
  /** Changes it as a whole. `undefined` where it is gone. Rejects where the store cannot tell. */
  change(next: (value: JsonObject) => JsonObject): Promise<JsonObject | undefined>
  /** Rejects where the store cannot tell. */
  forget(): Promise<void>
}

/** How a dialect has its replies kept, so that later requests can go on from them. */
export interface Keeping {
  /** What is kept of a reply; nothing where the client does not want that. */
  keep(asked: Conversation, reply: JsonObject): JsonObject | undefined
  /** A request with what was kept before it, in full. */
  resume(body: JsonObject, kept: JsonObject): JsonObject
  /** What is kept of a conversation after one more reply. */
  append(kept: JsonObject, asked: Conversation, reply: JsonObject): JsonObject
}

/** A client's request as it wrote it, and with all that was said before it. */
export interface Conversation {
  readonly body: JsonObject
  readonly resumed: JsonObject
}

/** The answer to a call about something that the gateway keeps. */
export type AnswerKept = (exchange: Understood, kept: Kept) => MaybePromise<Reply>

/** What is made where there is no account to make it. */
export interface Established {
  readonly kind: string
  readonly id: string
  readonly value: JsonObject
  readonly reply: Reply
}
