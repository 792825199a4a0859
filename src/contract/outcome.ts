import type { Readable } from 'node:stream'

import type { JsonObject } from '../lib/json/object.ts'
import type { StoredData } from './stored-data.ts'
import type { SpecialTokens } from '../generate/result.ts'
import type { GatewayError } from './errors.ts'
import type { RefusalSubject } from './refusal.ts'

/** The result of an attempt. Every attempt has exactly one. */
export interface Outcome {
  readonly status: 'completed' | 'incomplete' | 'failed' | 'cancelled'
  /** The party that caused a failure. Only `account` counts against the account's circuit. */
  readonly fault: 'account' | 'caller' | 'client' | 'gateway' | 'none'
  readonly produced?: Produced | undefined
  /** The resource that the attempt deleted. */
  readonly deleted?: { readonly kind: string; readonly id: string } | undefined
  /** The ids of the items of the reply. */
  readonly items?: readonly string[]
  /** The end of the stored response that the attempt has looked up. Absent: it has not ended, or its call has reported the use. */
  readonly ended?: EndedResponse | undefined
  /** Data that the account stores, and whose ids the reply discloses. It belongs to the caller's key. */
  readonly discloses?: readonly StoredData[]
  readonly usage?: Usage | undefined
  /** Why the answers of the reply ended, in the words of the account's dialect. Absent: it does not say. */
  readonly finishReasons?: readonly string[] | undefined
  /** The status of the account's reply. */
  readonly httpStatus?: number
  /** The subject of the account's refusal. Absent for other failures. */
  readonly about?: RefusalSubject
  /** The pause that the account asks for, in milliseconds. */
  readonly retryAfterMs?: number
  readonly error?: GatewayError
}

/** How a response in the background has ended. */
export interface EndedResponse extends Pick<Outcome, 'status' | 'usage' | 'httpStatus'> {
  /** An estimate by the output that it has. Absent: the usage has the number. */
  readonly outputTokens?: number
}

/** The resource that a reply is or creates. */
export interface Produced {
  readonly kind: string
  readonly id: string
  /** The account's id of it, if clients know it by another one. */
  readonly upstreamId?: string
  /** The model that the upstream names. */
  readonly model: string | undefined
  /**
   * The binding that the gateway writes: `own` if later calls can retrieve the resource, `chain` if
   * they can also continue it. Absent: none.
   */
  readonly binds?: 'own' | 'chain'
  /** The value that the gateway stores if the account does not store the resource. */
  readonly stored?: JsonObject | undefined
  /** The body of the request that created it, if another account can create it again. */
  readonly seed?: JsonObject | undefined
}

/** Numbers of tokens. A number that the upstream does not report is absent, never 0. */
export interface Usage extends SpecialTokens {
  /** The whole prompt, tokens read from and written to a cache included. */
  readonly inputTokens?: number
  /** The whole reply, reasoning included. */
  readonly outputTokens?: number
  readonly cachedTokens?: number
  readonly cacheWriteTokens?: number
  readonly reasoningTokens?: number
}

/** An HTTP reply. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | string | Readable | null
}

/** The end of an exchange. */
export interface Summary {
  /** The HTTP status of the reply; 499 if the client left before it. */
  readonly status: number
  readonly end: 'complete' | 'client_gone' | 'broken'
  /** From the request's head to the last byte of the reply. */
  readonly durationMs: number
}
