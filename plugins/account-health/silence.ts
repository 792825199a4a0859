/** Calls in a row whose clients left before an account answered, from which on it counts as silent. */
const fewestLeft = 3

/** Silence ends this long after the last such call, in milliseconds: the account may work again. */
const silentMs = 120_000

/**
 * Whether a model of an account answers nothing while its clients leave, which no failure shows. A silent model is
 * ranked behind others, and still asked where there are none. Calls of one key count for that key alone.
 */
export class Silence {
  #left = 0
  #at = 0
  /** The only key of these calls; `undefined` for several. */
  #keyId: string | undefined

  /** Notes a call whose client left without an answer. Returns whether the model has become silent by it. */
  addLeft(keyId: string, now: number): boolean {
    if (now - this.#at >= silentMs) this.#left = 0
    this.#keyId = this.#left === 0 || this.#keyId === keyId ? keyId : undefined
    this.#left++
    this.#at = now
    return this.#left === fewestLeft
  }

  /** The account has answered. Returns whether the model was silent before. */
  addAnswer(): boolean {
    const wasSilent = this.#left >= fewestLeft
    this.#left = 0
    return wasSilent
  }

  /** Whether the model counts as silent for calls of a key. */
  at(now: number, keyId: string): boolean {
    return (
      this.#left >= fewestLeft &&
      now - this.#at < silentMs &&
      (this.#keyId === undefined || this.#keyId === keyId)
    )
  }
}
