import type { CircuitSettings } from './options.ts'
import { RollingWindow } from './window.ts'

/** Counts the failures of an account's calls, in a row and by their share, and knows the keys that have them. */
export class Tally {
  readonly #settings: CircuitSettings
  readonly #window: RollingWindow
  #failuresInRow = 0
  /** The key of the failures in a row; `undefined` if several keys have some. */
  #rowKey: string | undefined

  constructor(settings: CircuitSettings) {
    this.#settings = settings
    this.#window = new RollingWindow(settings.windowMs)
  }

  /** The failures since the last success. */
  get failuresInRow(): number {
    return this.#failuresInRow
  }

  /** Whether the failures in a row exceed their limit. */
  get isRow(): boolean {
    return this.#failuresInRow >= this.#settings.failures
  }

  /** Counts an attempt of a key. */
  add(failed: boolean, keyId: string | undefined, now: number): void {
    this.#window.add(failed, keyId, now)
    if (this.#failuresInRow === 0) this.#rowKey = keyId
    else if (this.#rowKey !== keyId) this.#rowKey = undefined
    this.#failuresInRow = failed ? this.#failuresInRow + 1 : 0
  }

  /** Whether the failures exceed a limit. */
  exceedsLimits(now: number): boolean {
    const { attempts, share } = this.#settings
    if (this.isRow) return true
    return this.#window.attempts(now) >= attempts && this.#window.shareOfFailures(now) >= share
  }

  /** The key whose calls alone exceed the limits; `undefined` if others have their part in it. */
  blamedKey(now: number): string | undefined {
    return this.isRow ? this.#rowKey : this.#window.onlyKey(this.#settings.failures, now)
  }

  /** Begins a new window. The failures in a row go on. */
  beginWindow(): void {
    this.#window.clear()
  }

  /** Forgets all. */
  clear(): void {
    this.#failuresInRow = 0
    this.#window.clear()
  }
}
