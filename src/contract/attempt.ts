import type { Dispatcher } from 'undici'

import type { JsonObject } from '../lib/json/object.ts'
import type { MaybePromise } from '../lib/maybe-promise.ts'
import type { Account, AccountConnection } from './account.ts'
import type { CredentialFailure } from './credential.ts'
import type { ExclusionKind } from './call.ts'
import type { GatewayError } from './errors.ts'
import type { Observer } from './observer.ts'
import type { Outbound } from './outbound.ts'
import type { Outcome, Reply, Usage } from './outcome.ts'

/** Optional details of a `Declined`. */
export interface DeclineDetails {
  /** When the account becomes available again, in milliseconds since 1970. */
  readonly untilMs?: number | undefined
  /** The request field that the account does not support. */
  readonly field?: string
  /** The status of the answer if all accounts are excluded like this one: 429. */
  readonly status?: number
  readonly kind?: ExclusionKind | undefined
}

/**
 * Thrown when an account turns out to be unavailable for a call. The gateway tries the next
 * candidate, and the account's circuit does not count a failure.
 */
export class Declined extends Error {
  /** The rule that excludes the account. */
  readonly by: string
  readonly reason: string
  /** When the account becomes available again, in milliseconds since 1970. */
  readonly untilMs: number | undefined
  /** The request field that the account does not support, as the client names it. */
  readonly field: string | undefined
  /** See `DeclineDetails`. */
  readonly status: number | undefined
  readonly kind: ExclusionKind | undefined
  constructor(by: string, reason: string, details: DeclineDetails = {}) {
    super(`${by}: ${reason}`)
    this.name = 'Declined'
    this.by = by
    this.reason = reason
    this.untilMs = details.untilMs
    this.field = details.field
    this.status = details.status
    this.kind = details.kind
  }
}

/** What all plans of an attempt have. */
interface PlannedRequest {
  readonly outbound: Outbound
  /** Translates the account's failure for the client. Absent: the client gets it unchanged. */
  translateError?(error: GatewayError): GatewayError
  /**
   * Writes records before the last bytes go to the client, besides those that plugins write. The
   * client does not wait longer than `Timeouts.outcomeMs`.
   */
  persist?(): Promise<void> | undefined
}

/** A reply of bytes that pass as they arrive, at the pace of the client, such as audio. */
export interface RelayedContent {
  /** Throws `GatewayError` for the head of a 2xx reply that does not begin such content. */
  accept(status: number, headers: Readonly<Record<string, string | string[] | undefined>>): void
  /**
   * Whether these first bytes of a reply suffice to know that it is such content; if not, it is asked again with more.
   * Throws `GatewayError` for bytes with which none begins. Absent: any bytes suffice.
   */
  begins?(bytes: Buffer): boolean
  /** Whether a reply without bytes is a whole one. */
  readonly mayBeEmpty?: boolean
  /** What the account has used from its first byte on, if that is known. */
  readonly usage?: Usage | undefined
  /** What the account has used, by a whole reply that is JSON of at most 64 KiB. Absent: no reply says. */
  usageIn?(json: unknown): Usage | undefined
  /** Headers for the client beside those that describe the content. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The request to the account, whose reply is relayed. */
export interface RelayPlan extends PlannedRequest {
  readonly content: RelayedContent
}

/** The request to the account for a WebSocket. */
export interface SocketPlan extends PlannedRequest {
  /**
   * Begins to serve the account's socket, right after its handshake. Returns the reader of its messages, and the reply
   * that opens the client's. Throws `GatewayError` if the client's cannot be opened.
   */
  connect(socket: AccountSocket): { readonly reader: AccountSocketReader; readonly reply: Reply }
}

/** Any plan of an attempt. */
export type AnyPlan = AttemptPlan | RelayPlan | SocketPlan

/** A WebSocket of an account, after its handshake. */
export interface AccountSocket {
  /** Sends a text. Returns whether the account can take more: if not, `AccountSocketReader.onReady` follows. */
  send(text: string | Buffer): boolean
  /** Reads no further messages until `resume`. Messages that have arrived already may follow. */
  pause(): void
  resume(): void
  /** Ends the socket; the account has 5 seconds to answer the close frame. */
  close(): void
}

/** Reads the messages of an account's WebSocket. What it throws ends the socket. */
export interface AccountSocketReader {
  onMessage(data: Buffer, isBinary: boolean): void
  /** The account can take more. */
  onReady(): void
  /**
   * The socket has ended, or has to: with the code and the reason of the account's close frame, or with an error of the
   * connection, of the process or of an operator. Called once.
   */
  onEnd(end: { readonly code: number; readonly reason: string } | GatewayError): void
}

/** The result of preparing an attempt: the request to the account, and the reader of its reply. */
export interface AttemptPlan extends PlannedRequest {
  /** Returns a new observer of a streamed reply, one for each request that is sent. */
  observer(): Observer
  /**
   * Reads a complete JSON reply of a 2xx status. The attempt lasts until the result is there; no
   * deadline of the gateway applies to it. `received` has the bytes of the reply, unless it is empty.
   * `signal` creates the signal that aborts when the attempt is over.
   */
  read(json: unknown, received?: Buffer, signal?: () => AbortSignal): MaybePromise<ReadReply>
  /**
   * Reads a reply in the form that the call does not ask for. Absent: such a reply is an error. An object and no closure
   * that creates it: with a closure, V8 promoted 76 MB instead of 1.4 MB of exchanges in 16,000 JSON calls.
   */
  otherForm?: OtherForm | undefined
  /** Whether a reply that is no JSON object is a text for the client. `read` gets it without JSON. */
  readonly mayBeText?: boolean | undefined
}

/** Reads a reply in the form that the call does not ask for. The functions reject with `GatewayError`. */
export interface OtherForm {
  /** Returns an observer whose `end` has the events of a JSON document that replaces a stream, with these bytes. */
  observe(json: JsonObject, received: Buffer): Promise<Observer>
  /** The same for a text that replaces a stream. Absent: such a reply is an error. */
  observeText?(received: Buffer): Observer
  /** Collects server-sent events that replace a JSON document. `signal`: as for `AttemptPlan.read`. Absent: they are an error. */
  collect?(events: Buffer, signal: () => AbortSignal): Promise<ReadReply>
}

/** The meaning of a complete reply, and the client's reply as far as it differs from the account's. */
export interface ReadReply {
  readonly outcome: Outcome
  /** Absent: the account's body. */
  readonly body?: Buffer
  /** Absent: the account's status. */
  readonly status?: number
  /** Sent after the account's headers that pass. */
  readonly headers?: Readonly<Record<string, string>>
  /** See `NativeForward.reportsFailure`. */
  readonly reportsFailure?: boolean
  /** The gateway made the failure from a reply that reports none. */
  readonly failedHere?: boolean
}

/** How an account is reached, and how requests carry its credential. */
type ConnectedAccount = Pick<Account, 'id' | 'connection' | 'authorizer'>

/** The HTTP client for requests to accounts. */
export interface UpstreamClient {
  /**
   * Sends a request, with the account's credential and over connections such as its own. The handler receives the
   * reply and every failure, one of the credential too. Neither is a part of the request, so that no plugin can lose it.
   */
  send(outbound: Outbound, handler: Dispatcher.DispatchHandler, account?: ConnectedAccount): void
  /** Gives a request that is not sent the credential of an account. Resolves with the failure, if there is one. */
  tryCredential(account: ConnectedAccount): Promise<CredentialFailure | undefined>
  /** Closes the pools that none of these connections needs any more, each when its last request has ended. */
  retain(connections: readonly AccountConnection[]): void
  close(): Promise<void>
}
