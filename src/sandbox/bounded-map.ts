import { isObject } from './json.ts'

/** A map with room for so much. When it is full, what was put there longest ago goes. */
export class BoundedMap<Value> {
  readonly #entries = new Map<string, { value: Value; weight: number }>()
  readonly #mostEntries: number
  readonly #mostWeight: number
  #weight = 0

  constructor({ entries = 10_000, weight = 128 * 1024 * 1024 } = {}) {
    this.#mostEntries = entries
    this.#mostWeight = weight
  }

  get(id: string): Value | undefined {
    return this.#entries.get(id)?.value
  }

  *values(): Iterable<Value> {
    for (const { value } of this.#entries.values()) yield value
  }

  /** Puts the value where it is the last to go, even if it was there before. */
  put(id: string, value: Value, weight: number): void {
    this.delete(id)
    this.#entries.set(id, { value, weight })
    this.#weight += weight
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#mostEntries && this.#weight <= this.#mostWeight) return
      this.delete(oldest)
    }
  }

  delete(id: string): void {
    this.#weight -= this.#entries.get(id)?.weight ?? 0
    this.#entries.delete(id)
  }
}

const weightOfNode = 64

/** About how many bytes some JSON takes in memory. Quick: it looks at no character of a string. */
export function weightOf(value: unknown): number {
  if (typeof value === 'string') return weightOfNode + value.length
  if (Array.isArray(value)) return value.reduce<number>(addWeight, weightOfNode)
  return isObject(value) ? Object.values(value).reduce<number>(addWeight, weightOfNode) : 16
}

function addWeight(sum: number, value: unknown): number {
  return sum + weightOf(value)
}
