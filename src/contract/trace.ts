import type { IncomingHttpHeaders } from 'node:http'

import type { Outbound } from './outbound.ts'
import type { Outcome } from './outcome.ts'

/** The points of an exchange that end a stage: the caller is known, the call is checked, accounts are ranked. */
export type TracedStage = 'authenticated' | 'understood' | 'routed'

/** Why an exchange links to an earlier trace: it continues or reads the resource made there, or polls its job. */
export type LinkReason = 'continues' | 'refers_to' | 'job'

/** A look-up in the store: of one record, or of several. */
export type StoreRead = 'GET' | 'MGET'

/** An exchange that has an attempt: the type that exchange.ts gives it refers to this file. */
interface WithAttempt {
  readonly attempt: object
}

/**
 * The trace of an exchange (W3C Trace Context), as the kernel sees it. Absent where traces are off. Its
 * methods never throw.
 */
export interface ExchangeTrace<E extends WithAttempt = WithAttempt> {
  /** 32 hex digits. */
  readonly traceId: string
  /** 16 hex digits: the span of the whole exchange. */
  readonly spanId: string
  /** The span as a `traceparent`, for records that later exchanges link to. 55 characters. */
  readonly traceparent: string
  /** Notes the end of a stage. */
  reached(stage: TracedStage): void
  /** Links to the trace of an earlier exchange. Ignores a value that is no `traceparent`. */
  linkTo(traceparent: unknown, reason: LinkReason): void
  /** Notes a look-up in the store, which ends with `read`. */
  readsStore(name: StoreRead, read: Promise<unknown>): void
  /** Notes that the attempt that begins next probes an account whose circuit is half-open. */
  probing(): void
  /** Notes a request of an attempt that is about to be sent. */
  sending(exchange: E, outbound: Outbound): void
  /** Notes the outcome of an attempt. Later ones have no effect. */
  settled(attempt: E['attempt'], outcome: Outcome): void
  /** Notes the head of an account's reply to an attempt. */
  answered(attempt: E['attempt'], status: number, headers: IncomingHttpHeaders): void
  /** Takes bytes of the reply that go to the client. Absent: the trace has no content. */
  readonly wrote?: ((bytes: Buffer) => void) | undefined
  /** Notes that records of a result are written before the last bytes go to the client. `id`: of the result. */
  recording(written: Promise<void>, id?: string): void
  /** Notes the binding of the result, which lives for `ttlMs`. `isWritten`: false while the write is retried. */
  bound(ttlMs: number, isWritten: boolean): void
}
