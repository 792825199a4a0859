import { isObject } from './json.ts'

/** A map of limited size: it evicts the entries that were put first when a limit is exceeded. */
export class BoundedMap<Value> {
  readonly #entries = new Map<string, { value: Value; weight: number }>()
  readonly #maxEntries: number
  readonly #maxWeight: number
  #weight = 0

  /** Limits: the number of entries, and the sum of their weights in bytes. */
  constructor({ entries = 10_000, weight = 128 * 1024 * 1024 } = {}) {
    this.#maxEntries = entries
    this.#maxWeight = weight
  }

  /** The value of an id; undefined for an id that is unknown or forgotten. */
  get(id: string): Value | undefined {
    return this.#entries.get(id)?.value
  }

  /** All values, the first to be evicted first. */
  *values(): Iterable<Value> {
    for (const { value } of this.#entries.values()) yield value
  }

  /** Stores a value as the last one to be evicted, also if its id is known. */
  put(id: string, value: Value, weight: number): void {
    this.delete(id)
    this.#entries.set(id, { value, weight })
    this.#weight += weight
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#maxEntries && this.#weight <= this.#maxWeight) return
      this.delete(oldest)
    }
  }

  delete(id: string): void {
    this.#weight -= this.#entries.get(id)?.weight ?? 0
    this.#entries.delete(id)
  }
}

const weightOfNode = 64

/** The approximate memory of a JSON value, in bytes. Fast: it reads no character of a string. */
export function weightOf(value: unknown): number {
  if (typeof value === 'string') return weightOfNode + value.length
  if (Array.isArray(value)) return value.reduce<number>(addWeight, weightOfNode)
  return isObject(value) ? Object.values(value).reduce<number>(addWeight, weightOfNode) : 16
}

function addWeight(sum: number, value: unknown): number {
  return sum + weightOf(value)
}
