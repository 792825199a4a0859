import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'

import type { LossPolicy } from '../generate/unsupported.ts'

/** The request as it stands on the wire. */
export interface ClientRequest {
  readonly method: string
  /** Percent-encoded, without the query. */
  readonly path: string
  /** Without the question mark. May hold a key: never log it. */
  readonly query: string
  readonly headers: IncomingHttpHeaders
  readonly remoteAddress: string
  readonly stream: Readable
}

/** Whether somebody is still listening. */
export interface ClientConnection {
  readonly gone: boolean
  /** Calls back once when the client leaves before its answer is complete. Returns the undo. */
  onGone(callback: () => void): () => void
  /** The same for an attempt, without a function for each. */
  watch(watcher: ClientWatcher): void
  unwatch(watcher: ClientWatcher): void
  /** Breaks the connection, for an answer that cannot end otherwise. */
  reset(): void
  /** For libraries that take a signal; made when first asked for. */
  readonly signal: AbortSignal
}

export interface ClientWatcher {
  onClientGone(): void
}

/** Who asks. */
export interface Caller {
  /** The key's id, which survives the rotation of its secret. */
  readonly keyId: string
  /** Whether this caller may use a platform model or an alias. */
  mayUse(model: string): boolean
  /** The names and patterns that this goes by, where there are such. */
  readonly models?: readonly string[] | undefined
  /** Whether it may be told how its calls are routed. */
  readonly mayExplain?: boolean
  /** What becomes of what an account cannot be asked for. Absent: as the configuration says. */
  readonly losses?: LossPolicy | undefined
}
