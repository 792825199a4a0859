/** The part of a budget that is used up: all of it, or the share of one owner. */
type Shortage = 'budget' | 'share'

/**
 * An amount that many owners share, of which each may hold only its share. A single thing may exceed
 * the share if its owner holds nothing else. Owners that hold nothing are forgotten.
 */
export class SharedBudget {
  readonly limit: number
  readonly #share: number
  readonly #held = new Map<string, number>()
  #used = 0

  constructor({ limit, share }: { limit: number; share: number }) {
    this.limit = limit
    this.#share = share
  }

  /** The amount that all owners hold. */
  get used(): number {
    return this.#used
  }

  /**
   * Returns which limit forbids that an owner holds `more` for a thing that then has `whole`; `undefined` if no
   * limit does.
   */
  shortage(owner: string, more: number, whole: number): Shortage | undefined {
    const held = this.#held.get(owner) ?? 0
    const isAlone = held === whole - more
    if (!isAlone && held + more > this.#share) return 'share'
    return this.#used + more > this.limit ? 'budget' : undefined
  }

  /** Takes an amount. Ask `shortage` before. */
  take(owner: string, amount: number): void {
    this.#used += amount
    this.#held.set(owner, (this.#held.get(owner) ?? 0) + amount)
  }

  /** Gives back an amount that the owner has taken. */
  give(owner: string, amount: number): void {
    this.#used -= amount
    const left = (this.#held.get(owner) ?? 0) - amount
    if (left > 0) this.#held.set(owner, left)
    else this.#held.delete(owner)
  }
}
