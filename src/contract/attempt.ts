import type { Readable } from 'node:stream'

import type { Dispatcher } from 'undici'

import type { MaybePromise } from '../lib/maybe-promise.ts'
import type { GatewayError } from './errors.ts'
import type { Observer } from './observer.ts'
import type { Outcome } from './outcome.ts'

/** A request to an account. */
export interface Outbound {
  readonly method: string
  /** Scheme, host and port. */
  readonly origin: string
  /** Path and query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | StreamedBody | null
}

/** A body that is too large to be held: read anew each time that it is sent. */
export interface StreamedBody {
  /** In bytes, exactly. */
  readonly length: number
  open(): Readable
}

export interface DeclineDetails {
  readonly untilMs?: number | undefined
  readonly field?: string
}

/**
 * Thrown for an account that turns out not to be had: the next one is asked, and
 * nothing is held against this one.
 */
export class Declined extends Error {
  readonly by: string
  readonly reason: string
  /** When it may be had again, in milliseconds since 1970. */
  readonly untilMs: number | undefined
  /** What it cannot be asked for, in the client's words. */
  readonly field: string | undefined
  constructor(by: string, reason: string, { untilMs, field }: DeclineDetails = {}) {
    super(`${by}: ${reason}`)
    this.name = 'Declined'
    this.by = by
    this.reason = reason
    this.untilMs = untilMs
    this.field = field
  }
}

/** The result of preparing an attempt: the request to the account, and how its reply is read. */
export interface AttemptPlan {
  readonly outbound: Outbound
  /** Of a streamed answer; made anew for each request that is sent. */
  observer(): Observer
  /**
   * A complete JSON answer of a 2xx status. The attempt goes on until it is read, and no deadline of
   * the gateway's ends that.
   */
  read(json: unknown): MaybePromise<ReadReply>
  /** A failure as the client is told of it. */
  translateError?(error: GatewayError): GatewayError
  /** What there is to write down before the last bytes leave, besides what plugins do. */
  persist?(): Promise<void> | undefined
}

/** What an answer means, and the client's bytes where they are not the account's own. */
export interface ReadReply {
  readonly outcome: Outcome
  readonly body?: Buffer
  /** Where it is not the account's own. */
  readonly status?: number
  /** Those of the account's that pass go before them. */
  readonly headers?: Readonly<Record<string, string>>
  /** The failure was made of the answer here: the account told of none. */
  readonly failedHere?: boolean
}

export interface UpstreamClient {
  /** Sends a request; everything that follows is told to the handler, failures too. */
  send(outbound: Outbound, handler: Dispatcher.DispatchHandler): void
  close(): Promise<void>
}
