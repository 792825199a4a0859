import { FailureRow } from './failure-row.ts'
import type { CircuitSettings } from './options.ts'
import { RollingWindow } from './window.ts'

/** Counts the failures of an account's calls by their keys: those in a row, and their share in a window of time. */
export class Tally {
  readonly #settings: CircuitSettings
  /**
   * So many failures of others show that a row is due to the account. Fewer may be strays: one key could otherwise
   * open the circuit for all by failing beside them.
   */
  readonly #enoughInRow: number
  readonly #window: RollingWindow
  readonly #row = new FailureRow()
  #failuresInRow = 0

  constructor(settings: CircuitSettings) {
    this.#settings = settings
    this.#enoughInRow = Math.ceil(settings.failures / 2)
    this.#window = new RollingWindow(settings.windowMs)
  }

  /** The failures since the last success, probes included. */
  get failuresInRow(): number {
    return this.#failuresInRow
  }

  /** Whether the failures in a row exceed their limit. */
  get isRow(): boolean {
    return this.#row.length >= this.#settings.failures
  }

  /** Counts a failure of a key's call. */
  addFailure(keyId: string | undefined, now: number): void {
    this.#window.add(true, keyId, now)
    this.#row.add(keyId)
    this.#failuresInRow++
  }

  /** Counts the failure of a probe, which is evidence of its gate alone. */
  addProbeFailure(): void {
    this.#failuresInRow++
  }

  /** Counts a success. */
  addSuccess(now: number): void {
    this.#window.add(false, undefined, now)
    this.#row.end()
    this.#failuresInRow = 0
  }

  /** Whether the failures exceed a limit. */
  exceedsLimits(now: number): boolean {
    const { attempts, share } = this.#settings
    if (this.isRow) return true
    return this.#window.attempts(now) >= attempts && this.#window.shareOfFailures(now) >= share
  }

  /** The key whose calls alone exceed the limits; `undefined` if others have their part in it. */
  blamedKey(now: number): string | undefined {
    return this.isRow
      ? this.#row.onlyKey(this.#enoughInRow)
      : this.#window.onlyKey(this.#settings.failures, now)
  }

  /** Begins a new window. The failures in a row go on. */
  beginWindow(): void {
    this.#window.clear()
  }

  /** Forgets all. */
  clear(): void {
    this.#failuresInRow = 0
    this.#row.end()
    this.#window.clear()
  }
}
