/** Waits before an excluded account or model is tried again, in milliseconds. Each is twice the last. */
const firstWaitMs = 30_000
const longestWaitMs = 15 * 60_000
/** Refusals in a row that exclude an account for the one key whose calls it refuses. */
const refusalsOfOneKey = 3
/** Refusals that are further apart say nothing together. Milliseconds. */
const memoryMs = 10 * 60_000

/** A refusal as evidence. */
interface Evidence {
  /** The API key whose call was refused. */
  readonly keyId: string
  readonly status: number
}

/** An exclusion from routing. */
export interface Exclusion {
  readonly status: number
  /** In milliseconds, on the plugin's clock. */
  readonly until: number
  /** The only key that it concerns. Absent: all keys. */
  readonly keyId?: string
  /** A check of the account has confirmed the refusals, and only a check ends the exclusion. */
  readonly isConfirmed?: boolean
}

/**
 * What refusals say about an account, or about a model at an account. No key can exclude it for others:
 * that takes the refusals of two keys without a success between them, or other proof (`exclude`).
 * Methods take the time as `now`, in milliseconds.
 */
export class Standing {
  #lastKey: string | undefined
  #refusedInRow = 0
  #lastAt = 0
  #waitMs = firstWaitMs
  #exclusion: Exclusion | undefined

  /** The exclusion that concerns a key now. */
  exclusionOf(keyId: string, now: number): Exclusion | undefined {
    const exclusion = this.#exclusion
    if (!exclusion || (exclusion.keyId !== undefined && exclusion.keyId !== keyId)) return undefined
    return exclusion.isConfirmed || now < exclusion.until ? exclusion : undefined
  }

  /** The exclusion at a time, whichever key it concerns. */
  exclusionAt(now: number): Exclusion | undefined {
    const exclusion = this.#exclusion
    return exclusion && (exclusion.isConfirmed || now < exclusion.until) ? exclusion : undefined
  }

  /** Records a refusal without proof. Returns the exclusion that follows from it, if it is new. */
  refuse({ keyId, status }: Evidence, now: number): Exclusion | undefined {
    if (this.exclusionOf(keyId, now)) return undefined
    if (now - this.#lastAt > memoryMs) this.#forgetRefusals()
    const isOtherKey = this.#lastKey !== undefined && this.#lastKey !== keyId
    this.#lastAt = now
    this.#lastKey = keyId
    this.#refusedInRow++
    if (isOtherKey) return this.exclude({ status }, now)
    if (this.#refusedInRow < refusalsOfOneKey) return undefined
    return this.exclude({ status, keyId }, now)
  }

  /** Excludes until the next wait is over. */
  exclude(exclusion: Omit<Exclusion, 'until'>, now: number): Exclusion {
    this.#exclusion = { ...exclusion, until: now + this.#waitMs }
    this.#waitMs = Math.min(this.#waitMs * 2, longestWaitMs)
    this.#forgetRefusals()
    // The key stays suspect: the refusal of another one then concerns all.
    this.#lastKey = exclusion.keyId
    this.#lastAt = now
    return this.#exclusion
  }

  /** Excludes for another wait, which is longer. */
  excludeAgain(now: number): Exclusion | undefined {
    return this.#exclusion && this.exclude(this.#exclusion, now)
  }

  /** Ends an exclusion without proof that the account works: the next wait is longer. */
  readmit(): void {
    this.#exclusion = undefined
    this.#forgetRefusals()
  }

  /** Records a success. Returns the exclusion that was over and that it proves wrong by now. */
  succeed(now: number): Exclusion | undefined {
    this.#forgetRefusals()
    const exclusion = this.#exclusion
    // An attempt that began before the exclusion proves nothing.
    if (!exclusion || exclusion.isConfirmed || now < exclusion.until) return undefined
    this.restore()
    return exclusion
  }

  /** Ends an exclusion, because the account works. */
  restore(): void {
    this.#waitMs = firstWaitMs
    this.readmit()
  }

  #forgetRefusals(): void {
    this.#lastKey = undefined
    this.#refusedInRow = 0
  }
}
