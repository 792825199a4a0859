import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'

import type { LossPolicy } from '../generate/unsupported.ts'
import type { AcceptSocket } from './socket.ts'

/** The client's HTTP request. */
export interface ClientRequest {
  readonly method: string
  /** Percent-encoded, without the query. */
  readonly path: string
  /** Without the question mark. May hold a key: never log it. */
  readonly query: string
  readonly headers: IncomingHttpHeaders
  /** The client's address: the peer of the connection, or the client that a trusted proxy reports. */
  readonly remoteAddress: string
  /**
   * Whether `trustedProxies` name a client that cannot be read, or two headers name different ones: `remoteAddress` may
   * then be the proxy's, or a forged one. A plugin that judges by addresses refuses the request.
   */
  readonly isAddressUnclear?: boolean | undefined
  /** The URL at which one of `trustedProxies` says that the client reaches this gateway. */
  readonly publicUrl?: string | undefined
  /** The client's scheme, as a trusted proxy reports it. Absent: no trusted proxy reports it. */
  readonly scheme?: 'http' | 'https' | undefined
  /** Whether the peer of its connection is one of `trustedProxies`. */
  readonly isProxied?: boolean
  /** The body. Call `askForBody` before reading it. */
  readonly stream: Readable
  /**
   * Sends `100 Continue` to a client that waits for it before it sends the body. Absent: the client does
   * not wait. A request that is refused by its headers is answered without it.
   */
  readonly askForBody?: (() => void) | undefined
  /** Opens a WebSocket. Absent: the client does not ask for one, or its handshake has another form. */
  readonly acceptSocket?: AcceptSocket | undefined
}

/** The other end of a connection. */
export interface Peer {
  /** An IP address. */
  readonly address: string
  readonly port: number
}

/** The client's connection, for work that stops when the client leaves. */
export interface ClientConnection {
  /** Whether the client left before its reply was complete. */
  readonly gone: boolean
  /**
   * The other end: the client, or the proxy nearest to this gateway. It is there after the end of the connection, too.
   * Absent: there is no connection.
   */
  readonly peer?: Peer | undefined
  /** The version of HTTP that the peer speaks, such as `1.1`. Absent: there is no connection. */
  readonly httpVersion?: string | undefined
  /** Calls `callback` once when the client leaves. Returns a function that removes the callback. */
  onGone(callback: () => void): () => void
  /** The same as `onGone` without a closure, for attempts. */
  watch(watcher: ClientWatcher): void
  unwatch(watcher: ClientWatcher): void
  /** Breaks the connection, for a reply that has no other way to signal its failure. */
  reset(): void
  /** Aborted when the client leaves. Created on first access. */
  readonly signal: AbortSignal
}

/** An object that `ClientConnection.watch` notifies. */
export interface ClientWatcher {
  onClientGone(): void
}

/**
 * A key that is known and does not suffice. Its client gets the answer to an unknown key or model; operators see the
 * difference, in traces, metrics and the access log.
 */
export interface RefusedKey {
  /** Its time is over, it is disabled, or its scope lacks the model. */
  readonly refused: 'expired' | 'disabled' | 'scope'
  /** The id of the key. */
  readonly keyId?: string | undefined
}

/**
 * The form of errors. `spec`: docs/wire/contract.md 5. `upstream`: the same, but bodies of accounts' errors unchanged.
 * `native`: the form of the provider whose dialect the client speaks, which strictly typed clients read.
 */
export type ErrorForm = 'spec' | 'upstream' | 'native'

/** The owner of an API key, on whose behalf an exchange runs. */
export interface Caller {
  /** The key's id, which survives the rotation of its secret. */
  readonly keyId: string
  /** The id of the key's team. Absent: it has none. */
  readonly team?: string | undefined
  /** Whether this caller may use a platform model or an alias. */
  mayUse(model: string): boolean
  /** The names and patterns behind `mayUse`. Absent: the key has no scope, or `mayUse` follows other rules. */
  readonly models?: readonly string[] | undefined
  /** A second scope besides `models`: the names and patterns of its team. Absent: there is one scope at most. */
  readonly teamModels?: readonly string[] | undefined
  /** Whether this caller may read how its calls are routed. */
  readonly mayExplain?: boolean
  /** The policy for features that an account does not support. Absent: the configuration's. */
  readonly losses?: LossPolicy | undefined
  /** The form of errors. Absent: the configuration's. */
  readonly errors?: ErrorForm | undefined
}
