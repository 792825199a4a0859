import type { Hold } from './hold.ts'

/** Waits before an excluded account or model is tried again, in milliseconds. Each is twice the last. */
const firstWaitMs = 30_000
const longestWaitMs = 15 * 60_000
/** Refusals in a row that exclude an account for the one key whose calls it refuses. */
const refusalsOfOneKey = 3
/** Refusals that are further apart say nothing together. Milliseconds. */
const memoryMs = 10 * 60_000

/** A refusal as evidence. */
interface Refused {
  /** The API key whose call was refused. */
  readonly keyId: string
  readonly status: number
}

/** An exclusion that refusals cause. */
export interface Refusal extends Hold {
  readonly status: number
  /** A check of the account has confirmed the refusals, and only a check ends the exclusion. */
  readonly isConfirmed: boolean
}

/** Proof that excludes for all keys, beside refusals of two of them. */
type Proof = 'check' | 'message'

/**
 * The refusals of an account, or of a model at an account. One key alone cannot exclude it for other keys: only
 * refusals of two keys without a success between them, or other proof, can. Times are in milliseconds.
 */
export class Refusals {
  #lastKey: string | undefined
  #inRow = 0
  #lastAt = 0
  #waitMs = firstWaitMs
  #exclusion: Refusal | undefined

  /** The exclusion at a time: for a key, or whichever key it concerns. */
  at(now: number, keyId?: string): Refusal | undefined {
    const exclusion = this.#exclusion
    if (!exclusion || !(exclusion.isConfirmed || now < exclusion.until)) return undefined
    const isOther =
      exclusion.keyId !== undefined && keyId !== undefined && exclusion.keyId !== keyId
    return isOther ? undefined : exclusion
  }

  /** Records a refusal. Returns the exclusion that follows from it, if it is new. */
  add({ keyId, status }: Refused, now: number, proof?: Proof): Refusal | undefined {
    if (this.at(now, keyId)) return undefined
    if (proof) return this.#exclude(status, proof, undefined, now)
    if (now - this.#lastAt > memoryMs) this.#forget()
    const isOtherKey = this.#lastKey !== undefined && this.#lastKey !== keyId
    this.#lastAt = now
    this.#lastKey = keyId
    this.#inRow++
    if (isOtherKey) return this.#exclude(status, 'keys', undefined, now)
    return this.#inRow < refusalsOfOneKey ? undefined : this.#exclude(status, 'row', keyId, now)
  }

  /** A check has confirmed a refusal: excludes until a check succeeds. `cause`: if that is more than a status. */
  confirm(status: number, now: number, cause?: string): Refusal {
    const known = this.#exclude(status, 'check', undefined, now)
    return cause === undefined ? known : (this.#exclusion = { ...known, cause })
  }

  /** Ends an exclusion without proof that the account works: the next wait is longer. */
  readmit(): void {
    this.#exclusion = undefined
    this.#forget()
  }

  /** Records a success. Returns whether it ends an exclusion whose wait is over. */
  succeed(now: number): boolean {
    this.#forget()
    const exclusion = this.#exclusion
    // An attempt that began before the exclusion proves nothing.
    if (!exclusion || exclusion.isConfirmed || now < exclusion.until) return false
    this.restore()
    return true
  }

  /** Ends an exclusion, because the account works. */
  restore(): void {
    this.#waitMs = firstWaitMs
    this.readmit()
  }

  #exclude(
    status: number,
    evidence: keyof typeof sentences,
    keyId: string | undefined,
    now: number,
  ): Refusal {
    const cause = sentences[evidence].replace('STATUS', String(status))
    const isConfirmed = evidence === 'check'
    const until = now + this.#waitMs
    this.#waitMs = Math.min(this.#waitMs * 2, longestWaitMs)
    this.#forget()
    // The key stays suspect: the refusal of another one then concerns all.
    this.#lastKey = keyId
    this.#lastAt = now
    return (this.#exclusion = { kind: 'refused', cause, status, keyId, until, isConfirmed })
  }

  #forget(): void {
    this.#lastKey = undefined
    this.#inRow = 0
  }
}

const sentences = {
  row: `${refusalsOfOneKey} calls of one key in a row got STATUS`,
  keys: 'calls of two keys got STATUS',
  message: 'a call got STATUS, and the message names the model',
  check: 'a call got STATUS, and a check was refused as well',
} as const
