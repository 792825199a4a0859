import type { Readable } from 'node:stream'

import type { Dispatcher } from 'undici'

/** A request to an account. */
export interface Outbound {
  readonly method: string
  /** Scheme, host and port. */
  readonly origin: string
  /** Path and query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | StreamedBody | null
  /** The protocol that the connection shall switch to. Absent: none. */
  readonly upgrade?: 'websocket' | undefined
  /** Answers in place of the account, which does the work over a connection that stands already. */
  readonly answer?: ((handler: Dispatcher.DispatchHandler) => void) | undefined
}

/** A body that is too large for memory. Each request that sends it opens it again. */
export interface StreamedBody {
  /** The exact number of bytes. */
  readonly length: number
  open(): Readable
}
