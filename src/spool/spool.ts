import { tmpdir } from 'node:os'

import { GatewayError } from '../errors.ts'
import { Spooled } from './spooled.ts'

export interface SpoolOptions {
  /** What all bodies together may take on disk. */
  readonly spoolBytes: number
  /** Where their files are. The system's directory for temporary files where absent. */
  readonly directory?: string | undefined
}

/** Where large bodies wait for their exchange's end: one for a gateway, with one budget. */
export class Spool {
  readonly directory: string
  readonly #limit: number
  #bytes = 0

  constructor({ spoolBytes, directory = tmpdir() }: SpoolOptions) {
    this.directory = directory
    this.#limit = spoolBytes
  }

  /** What is taken on disk, or about to be. */
  get bytes(): number {
    return this.#bytes
  }

  /** For one more body. */
  begin(): Spooled {
    return new Spooled(this)
  }

  /** Throws `GatewayError` 503 where so many more bytes would be too many. */
  assertRoom(bytes: number): void {
    if (this.#bytes + bytes > this.#limit) throw spoolFull()
  }

  /** Throws `GatewayError` 503 where there is no room. */
  take(bytes: number): void {
    this.assertRoom(bytes)
    this.#bytes += bytes
  }

  give(bytes: number): void {
    this.#bytes -= bytes
  }
}

export function spoolFull(cause?: unknown): GatewayError {
  return new GatewayError(
    'spool_full',
    'There is no room for this upload now: other uploads have taken all space. Try again shortly.',
    { headers: { 'retry-after': '5' }, ...(cause !== undefined && { cause }) },
  )
}
