import { keyToBlame } from './blame.ts'

/**
 * The failures since the last success, by the keys of their calls. Probes of the gates of single keys are left out:
 * they are evidence of their keys alone.
 */
export class FailureRow {
  readonly #byKey = new Map<string | undefined, number>()
  #total = 0

  /** The number of failures in the row. */
  get length(): number {
    return this.#total
  }

  /** Adds a failure of a key. */
  add(keyId: string | undefined): void {
    this.#total++
    this.#byKey.set(keyId, (this.#byKey.get(keyId) ?? 0) + 1)
  }

  /** The key of nearly all failures: the others have fewer than `enough`. `undefined` if there is none. */
  onlyKey(enough: number): string | undefined {
    return keyToBlame(this.#byKey, enough)
  }

  /** Ends the row. */
  end(): void {
    if (this.#total === 0) return
    this.#total = 0
    this.#byKey.clear()
  }
}
