import { tmpdir } from 'node:os'

import { SharedBudget } from '../../lib/shared-budget.ts'
import { bodyTooLarge } from '../../kit/body-limits.ts'
import { shareFull, spoolFull } from './errors.ts'
import { spoolFault } from './fault.ts'
import { SpooledBody } from './spooled-body.ts'

/** The part of the spool that several forms of one API key may fill. */
const keyShare = 1 / 2

/** The least time between two checks of the directory, in milliseconds: anybody may ask for them. */
const checkEveryMs = 2_000

/** The state of a spool. */
export interface SpoolState {
  /** The size of all forms in it. */
  readonly bytes: number
  /** Whether its directory is writable and has space, as of the last two seconds. */
  readonly usable: boolean
}

/** The options of a spool. */
interface SpoolOptions {
  /** The disk space for all bodies together, in bytes. */
  readonly spoolBytes: number
  /** The directory of the spool files. Default: the system's temporary directory. */
  readonly directory?: string | undefined
}

/**
 * Stores large request bodies until their exchange ends; one per gateway, with one disk budget, of
 * which each API key has a share.
 */
export class Spool {
  readonly directory: string
  readonly #budget: SharedBudget
  #fault: Promise<string | undefined> | undefined
  #checkedAt = 0

  constructor({ spoolBytes, directory = tmpdir() }: SpoolOptions) {
    this.directory = directory
    this.#budget = new SharedBudget({ limit: spoolBytes, share: spoolBytes * keyShare })
  }

  /** The reserved disk space, in bytes. */
  get bytes(): number {
    return this.#budget.used
  }

  async state(): Promise<SpoolState> {
    return { bytes: this.bytes, usable: (await this.#currentFault()) === undefined }
  }

  /** The reason why the directory cannot be used, as of the last seconds; `undefined` if it can. */
  #currentFault(): Promise<string | undefined> {
    const now = performance.now()
    if (this.#fault && now - this.#checkedAt < checkEveryMs) return this.#fault
    this.#checkedAt = now
    this.#fault = spoolFault(this.directory)
    return this.#fault
  }

  /** Begins a new body of an API key. */
  begin(keyId: string): SpooledBody {
    return new SpooledBody({
      directory: this.directory,
      reserve: (bytes, whole) => this.#reserve(keyId, bytes, whole),
      release: (bytes) => this.#budget.give(keyId, bytes),
    })
  }

  /**
   * Checks that a body of `bytes` fits, before any of it is read. Throws `GatewayError` 503 if the spool
   * is too full for it, 429 if other bodies of the key are, 413 if it would not fit an empty spool.
   */
  assertSpace(keyId: string, bytes: number): void {
    this.#assertSpace(keyId, bytes, bytes)
  }

  #reserve(keyId: string, bytes: number, whole: number): void {
    this.#assertSpace(keyId, bytes, whole)
    this.#budget.take(keyId, bytes)
  }

  #assertSpace(keyId: string, bytes: number, whole: number): void {
    if (whole > this.#budget.limit) throw bodyTooLarge(this.#budget.limit)
    const shortage = this.#budget.shortage(keyId, bytes, whole)
    if (shortage === 'share') throw shareFull()
    if (shortage === 'budget') throw spoolFull()
  }
}
