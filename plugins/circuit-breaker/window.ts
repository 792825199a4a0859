import { keyToBlame } from './blame.ts'

const buckets = 10

/** Counts attempts and failures of the last `windowMs` milliseconds, in ten steps. Its clock never goes back. */
export class RollingWindow {
  readonly #stepMs: number
  readonly #attempts = Array<number>(buckets).fill(0)
  readonly #failures = Array<number>(buckets).fill(0)
  /** Failures by the keys of their calls. */
  readonly #failuresByKey = Array.from(
    { length: buckets },
    () => new Map<string | undefined, number>(),
  )
  /** The number of the newest step. */
  #newest = 0

  constructor(windowMs: number) {
    this.#stepMs = windowMs / buckets
  }

  /** Counts an attempt of a key. `now` in milliseconds. */
  add(failed: boolean, keyId: string | undefined, now: number): void {
    this.#advance(now)
    const index = this.#newest % buckets
    this.#attempts[index] = (this.#attempts[index] ?? 0) + 1
    if (!failed) return
    this.#failures[index] = (this.#failures[index] ?? 0) + 1
    const byKey = this.#failuresByKey[index]
    byKey?.set(keyId, (byKey.get(keyId) ?? 0) + 1)
  }

  /** The number of attempts in the window. */
  attempts(now: number): number {
    this.#advance(now)
    return sum(this.#attempts)
  }

  /** The share of failed attempts in the window, from 0 to 1. */
  shareOfFailures(now: number): number {
    return sum(this.#failures) / Math.max(1, this.attempts(now))
  }

  /** The key of nearly all failures in the window: others have fewer than `enough`. `undefined` if there is none. */
  onlyKey(enough: number, now: number): string | undefined {
    this.#advance(now)
    const totals = new Map<string | undefined, number>()
    for (const byKey of this.#failuresByKey) {
      for (const [key, count] of byKey) totals.set(key, (totals.get(key) ?? 0) + count)
    }
    return keyToBlame(totals, enough)
  }

  /** Removes all counts. */
  clear(): void {
    this.#attempts.fill(0)
    this.#failures.fill(0)
    for (const byKey of this.#failuresByKey) byKey.clear()
  }

  /** Removes counts that are older than the window. */
  #advance(now: number): void {
    const step = Math.floor(now / this.#stepMs)
    if (step - this.#newest >= buckets) this.clear()
    else {
      for (let old = this.#newest + 1; old <= step; old++) {
        this.#attempts[old % buckets] = 0
        this.#failures[old % buckets] = 0
        this.#failuresByKey[old % buckets]?.clear()
      }
    }
    this.#newest = Math.max(this.#newest, step)
  }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
