/**
 * A map of limited size, for keys that callers or accounts can name. Its entries form two generations:
 * when the younger one is full, the older one is dropped as a whole, so that the entries used last stay.
 */
export class RecentMap<Value> {
  #recent = new Map<string, Value>()
  #older = new Map<string, Value>()
  readonly #generationSize: number

  /** At most `size` entries, and at least the `size / 2` used last. */
  constructor(size: number) {
    this.#generationSize = Math.max(1, Math.floor(size / 2))
  }

  get(key: string): Value | undefined {
    const known = this.#recent.get(key)
    if (known !== undefined) return known
    const older = this.#older.get(key)
    if (older !== undefined) this.set(key, older)
    return older
  }

  set(key: string, value: Value): void {
    this.#recent.set(key, value)
    if (this.#recent.size <= this.#generationSize) return
    this.#older = this.#recent
    this.#recent = new Map()
  }

  /** All entries, in no order. */
  *entries(): Generator<[string, Value]> {
    yield* this.#recent
    for (const entry of this.#older) if (!this.#recent.has(entry[0])) yield entry
  }

  delete(key: string): void {
    this.#recent.delete(key)
    this.#older.delete(key)
  }
}
