/** Returns the weight of an entry. */
type Weigh<Value> = (value: Value, key: string) => number

/**
 * A map of limited size, for keys that callers or accounts can name. Its entries form two generations:
 * when the younger one is full, the older one is dropped as a whole, so that the entries used last stay.
 */
export class RecentMap<Value> {
  #recent = new Map<string, Value>()
  #older = new Map<string, Value>()
  /** The weight of the younger generation. */
  #weight = 0
  readonly #generationSize: number
  readonly #weigh: Weigh<Value>

  /**
   * At most `size` entries, and at least the `size / 2` used last. With `weigh`, entries have weights: it is called for
   * values as they are set, which must not change their weight. Entries heavier than `size / 2` pass the limit.
   */
  constructor(size: number, weigh: Weigh<Value> = () => 1) {
    this.#generationSize = Math.max(1, Math.floor(size / 2))
    this.#weigh = weigh
  }

  get(key: string): Value | undefined {
    const known = this.#recent.get(key)
    if (known !== undefined) return known
    const older = this.#older.get(key)
    if (older !== undefined) this.set(key, older)
    return older
  }

  set(key: string, value: Value): void {
    this.#weight += this.#weigh(value, key) - this.#weightOf(key)
    this.#recent.set(key, value)
    if (this.#weight <= this.#generationSize) return
    this.#older = this.#recent
    this.#recent = new Map()
    this.#weight = 0
  }

  /** Calls `visit` with all entries, in no order. It makes no object for each entry. */
  forEach(visit: (value: Value, key: string) => void): void {
    this.#recent.forEach(visit)
    this.#older.forEach((value, key) => {
      if (!this.#recent.has(key)) visit(value, key)
    })
  }

  delete(key: string): void {
    this.#weight -= this.#weightOf(key)
    this.#recent.delete(key)
    this.#older.delete(key)
  }

  #weightOf(key: string): number {
    const known = this.#recent.get(key)
    return known === undefined ? 0 : this.#weigh(known, key)
  }
}
