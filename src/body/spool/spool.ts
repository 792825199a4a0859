import { tmpdir } from 'node:os'

import { bodyTooLarge } from '../limits.ts'
import { spoolFull } from './errors.ts'
import { type SpoolBudget, Spooled } from './spooled.ts'

export interface SpoolOptions {
  /** What all bodies together may take on disk. */
  readonly spoolBytes: number
  /** Where their files are. The system's directory for temporary files where absent. */
  readonly directory?: string | undefined
}

/** Where large bodies wait for their exchange's end: one for a gateway, with one budget. */
export class Spool implements SpoolBudget {
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

  /**
   * Throws `GatewayError` 503 where so many more bytes would be too many, 413 where a `whole` body of
   * so many would be with nothing else there.
   */
  assertRoom(bytes: number, whole = bytes): void {
    if (whole > this.#limit) throw bodyTooLarge(this.#limit)
    if (this.#bytes + bytes > this.#limit) throw spoolFull()
  }

  /** More of a body that is so large as a whole by then. Throws as `assertRoom` does. */
  take(bytes: number, whole = bytes): void {
    this.assertRoom(bytes, whole)
    this.#bytes += bytes
  }

  give(bytes: number): void {
    this.#bytes -= bytes
  }
}
