import type { Affinity } from './memory.ts'

/** How long an affinity stands for those of the moment, in milliseconds. */
const momentMs = 1_000

/**
 * Affinities by the moment: what an account serves within a second shares one of them. Thousands of
 * names refer to it, and one each would be most of what the garbage collector has to carry.
 */
export class Moments {
  readonly #lifeMs: number
  readonly #latest = new Map<string, Affinity>()

  constructor(lifeMs: number) {
    this.#lifeMs = lifeMs
  }

  /** `now` in milliseconds since 1970. */
  of(account: string, now: number): Affinity {
    const latest = this.#latest.get(account)
    const age = latest ? now + this.#lifeMs - latest.until : Infinity
    if (latest && age >= 0 && age < momentMs) return latest
    const affinity = { account, until: now + this.#lifeMs }
    this.#latest.set(account, affinity)
    return affinity
  }
}
