import type { Readable } from 'node:stream'

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

/** A body that is too large for memory. Each request that sends it opens it again. */
export interface StreamedBody {
  /** The exact number of bytes. */
  readonly length: number
  open(): Readable
}
