import { createHash } from 'node:crypto'

/** A positive decision, and until when it holds: milliseconds since 1970. */
export interface Decision<T> {
  readonly value: T
  readonly until: number
}

export interface DecisionOptions {
  /** How many positive decisions are remembered, and how many others beside them. */
  readonly size: number
  /** How long a negative decision is remembered, in milliseconds. */
  readonly unknownMs: number
}

interface Entry<T> {
  readonly made: Promise<T | undefined>
  /** Infinite while the decision is being made. */
  until: number
}

/**
 * Remembers decisions about credentials, positive and negative ones. Calls that come while a decision
 * is being made share it. A failure is not remembered: the next call asks again. Decisions that are
 * negative or being made have a place of their own, so that invented credentials displace no valid one.
 */
export class Decisions<T> {
  readonly #positive = new Map<string, Entry<T>>()
  readonly #others = new Map<string, Entry<T>>()
  readonly #options: DecisionOptions

  constructor(options: DecisionOptions) {
    if (!(options.size >= 1))
      throw new RangeError(`size must be 1 or more, but is ${options.size}.`)
    this.#options = options
  }

  of(credential: string, decide: () => Promise<Decision<T> | undefined>): Promise<T | undefined> {
    // A hash, so that no credential stays in memory.
    const name = createHash('sha256').update(credential).digest('base64')
    const known = this.#positive.get(name) ?? this.#others.get(name)
    if (known && Date.now() < known.until) return known.made
    return this.#remember(name, decide)
  }

  #remember(name: string, decide: () => Promise<Decision<T> | undefined>): Promise<T | undefined> {
    const made = decide().then(
      (decision) => {
        entry.until = decision?.until ?? Date.now() + this.#options.unknownMs
        if (decision) {
          this.#forget(name, entry)
          this.#put(this.#positive, name, entry)
        }
        return decision?.value
      },
      (error: unknown) => {
        this.#forget(name, entry)
        throw error
      },
    )
    const entry: Entry<T> = { made, until: Infinity }
    this.#positive.delete(name)
    this.#put(this.#others, name, entry)
    return made
  }

  #forget(name: string, entry: Entry<T>): void {
    if (this.#others.get(name) === entry) this.#others.delete(name)
  }

  /** The oldest entry makes room. */
  #put(entries: Map<string, Entry<T>>, name: string, entry: Entry<T>): void {
    entries.delete(name)
    const [oldest] = entries.keys()
    if (oldest !== undefined && entries.size >= this.#options.size) entries.delete(oldest)
    entries.set(name, entry)
  }
}
