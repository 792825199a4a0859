import { tmpdir } from 'node:os'

import { bodyTooLarge } from '../limits.ts'
import { spoolFull } from './errors.ts'
import { type SpoolBudget, SpooledBody } from './spooled-body.ts'

/** The options of a spool. */
interface SpoolOptions {
  /** The disk space for all bodies together, in bytes. */
  readonly spoolBytes: number
  /** The directory of the spool files. Default: the system's temporary directory. */
  readonly directory?: string | undefined
}

/** Stores large request bodies until their exchange ends; one per gateway, with one disk budget. */
export class Spool implements SpoolBudget {
  readonly directory: string
  readonly #limit: number
  #bytes = 0

  constructor({ spoolBytes, directory = tmpdir() }: SpoolOptions) {
    this.directory = directory
    this.#limit = spoolBytes
  }

  /** The reserved disk space, in bytes. */
  get bytes(): number {
    return this.#bytes
  }

  /** Begins a new body. */
  begin(): SpooledBody {
    return new SpooledBody(this)
  }

  /**
   * Checks that `bytes` more fit. Throws `GatewayError` 503 if the spool is too full for them, 413 if
   * a body of `whole` bytes would not fit an empty spool.
   */
  assertSpace(bytes: number, whole = bytes): void {
    if (whole > this.#limit) throw bodyTooLarge(this.#limit)
    if (this.#bytes + bytes > this.#limit) throw spoolFull()
  }

  /** Reserves `bytes` for a body that then has `whole` bytes. Throws as `assertSpace` does. */
  reserve(bytes: number, whole = bytes): void {
    this.assertSpace(bytes, whole)
    this.#bytes += bytes
  }

  /** Releases reserved bytes. */
  release(bytes: number): void {
    this.#bytes -= bytes
  }
}
