import { createHash } from 'node:crypto'

/** A positive decision, and until when it holds: milliseconds since 1970. */
export interface Decision<T> {
  readonly value: T
  readonly until: number
}

export interface DecisionOptions {
  /** How many decisions are remembered. */
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
 * is being made share it. A failure is not remembered: the next call asks again.
 */
export class Decisions<T> {
  readonly #entries = new Map<string, Entry<T>>()
  readonly #options: DecisionOptions

  constructor(options: DecisionOptions) {
    if (!(options.size >= 1))
      throw new RangeError(`size must be 1 or more, but is ${options.size}.`)
    this.#options = options
  }

  of(credential: string, decide: () => Promise<Decision<T> | undefined>): Promise<T | undefined> {
    // A hash, so that no credential stays in memory.
    const name = createHash('sha256').update(credential).digest('base64')
    const known = this.#entries.get(name)
    if (known && Date.now() < known.until) return known.made
    return this.#remember(name, decide)
  }

  #remember(name: string, decide: () => Promise<Decision<T> | undefined>): Promise<T | undefined> {
    const made = decide().then(
      (decision) => {
        entry.until = decision?.until ?? Date.now() + this.#options.unknownMs
        return decision?.value
      },
      (error: unknown) => {
        if (this.#entries.get(name) === entry) this.#entries.delete(name)
        throw error
      },
    )
    const entry: Entry<T> = { made, until: Infinity }
    this.#entries.delete(name)
    const [oldest] = this.#entries.keys()
    if (oldest !== undefined && this.#entries.size >= this.#options.size)
      this.#entries.delete(oldest)
    this.#entries.set(name, entry)
    return made
  }
}
