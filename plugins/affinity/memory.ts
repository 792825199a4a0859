/** The account that an affinity prefers, as stored. */
export interface Affinity {
  /** The account's id. */
  readonly account: string
  /** When the affinity expires, in milliseconds since 1970. */
  readonly until: number
}

/** Whether a record is an affinity; a damaged one is not. */
export function isAffinity(value: unknown): value is Affinity {
  const { account, until } = Object(value) as Partial<Record<keyof Affinity, unknown>>
  return typeof account === 'string' && typeof until === 'number'
}

/** An affinity in memory. */
interface CachedAffinity extends Affinity {
  /** Whether its write to the store failed. */
  readonly lost?: boolean
}

/**
 * The most recently used affinities, so that most calls need no read of the store. They form two
 * generations: when the younger one is full, the older one is dropped as a whole. Deleting the oldest
 * entry of a `Map` repeatedly is slower, because iteration passes over the deleted entries.
 */
export class AffinityMemory {
  #recent = new Map<string, CachedAffinity>()
  #older = new Map<string, CachedAffinity>()
  readonly #generationSize: number

  /** At most `size` affinities, and at least the `size / 2` used last. */
  constructor(size: number) {
    this.#generationSize = Math.max(1, Math.floor(size / 2))
  }

  /** Returns an affinity that has not expired. `now` in milliseconds since 1970. */
  find(name: string, now: number): CachedAffinity | undefined {
    const known = this.#recent.get(name) ?? this.#promote(name)
    return known && known.until > now ? known : undefined
  }

  /** Adds or replaces an affinity. */
  set(name: string, affinity: Affinity): void {
    this.#recent.set(name, affinity)
    if (this.#recent.size <= this.#generationSize) return
    this.#older = this.#recent
    this.#recent = new Map()
  }

  /** Marks affinities whose write failed, so that the next related call writes them again. */
  markLost(names: Iterable<string>): void {
    for (const name of names) {
      const generation = this.#recent.has(name) ? this.#recent : this.#older
      const known = generation.get(name)
      if (known) generation.set(name, { ...known, lost: true })
    }
  }

  #promote(name: string): CachedAffinity | undefined {
    const known = this.#older.get(name)
    if (known) this.set(name, known)
    return known
  }
}

/** How long calls share one affinity object, in milliseconds. */
const shareMs = 1_000

/**
 * Creates affinities. All calls that an account serves within one second share one object: one per name
 * would be most of the garbage collector's work.
 */
export class SharedAffinities {
  readonly #lifeMs: number
  readonly #latest = new Map<string, Affinity>()

  constructor(lifeMs: number) {
    this.#lifeMs = lifeMs
  }

  /** Returns the affinity for `account`. `now` in milliseconds since 1970. */
  at(account: string, now: number): Affinity {
    const latest = this.#latest.get(account)
    const age = latest ? now + this.#lifeMs - latest.until : Infinity
    if (latest && age >= 0 && age < shareMs) return latest
    const affinity = { account, until: now + this.#lifeMs }
    this.#latest.set(account, affinity)
    return affinity
  }
}
