import type { Readable } from 'node:stream'

import type { JsonObject } from '../lib/json/object.ts'
import type { GatewayError } from './errors.ts'

/** How one attempt ended. Exactly one for each attempt. */
export interface Outcome {
  readonly status: 'completed' | 'incomplete' | 'failed' | 'cancelled'
  readonly fault: 'account' | 'caller' | 'client' | 'gateway' | 'none'
  readonly produced?: Produced | undefined
  /** A resource that is there no more. */
  readonly deleted?: { readonly kind: string; readonly id: string } | undefined
  /** Ids of produced items. */
  readonly items?: readonly string[]
  readonly usage?: Usage | undefined
  readonly httpStatus?: number
  /** Milliseconds that the account asked to be left alone. */
  readonly retryAfterMs?: number
  readonly error?: GatewayError
}

/** What the reply is called, and by whose model it was made. */
export interface Produced {
  readonly kind: string
  readonly id: string
  readonly model: string | undefined
  /**
   * What later calls may do with the id: ask for it, or continue from it as well. Absent: nothing
   * that the gateway has to remember.
   */
  readonly binds?: 'own' | 'chain'
  /** What the gateway keeps of it, where the account does not. */
  readonly stored?: JsonObject | undefined
}

/** Tokens. What an upstream did not tell is unknown, not 0. */
export interface Usage {
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly cachedTokens?: number
  readonly reasoningTokens?: number
}

/** What a call gets: bytes as they are, or a stream of them. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | string | Readable | null
}

/** What is left to tell after the last byte. */
export interface Summary {
  readonly status: number
  readonly end: 'complete' | 'client_gone' | 'broken'
  readonly durationMs: number
}
