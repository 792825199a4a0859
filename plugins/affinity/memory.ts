/** An account that has served a call's like, as it is stored. */
export interface Affinity {
  /** The account's id. */
  readonly account: string
  /** Milliseconds since 1970. */
  readonly until: number
}

export interface Remembered extends Affinity {
  /** The store is known not to have it. */
  readonly lost?: boolean
}

/**
 * The affinities used last, so that most calls need not ask the store. They stand in two
 * generations: when the younger is full the older one goes as a whole. Dropping the oldest entry of
 * a map again and again costs ever more, since its first places stay empty for long.
 */
export class AffinityMemory {
  #recent = new Map<string, Remembered>()
  #older = new Map<string, Remembered>()
  readonly #generation: number

  /** At most `size` affinities, and never fewer of those used last than half of that. */
  constructor(size: number) {
    this.#generation = Math.max(1, Math.floor(size / 2))
  }

  find(name: string, now: number): Remembered | undefined {
    const known = this.#recent.get(name) ?? this.#promote(name)
    return known && known.until > now ? known : undefined
  }

  keep(name: string, affinity: Affinity): void {
    this.#recent.set(name, affinity)
    if (this.#recent.size <= this.#generation) return
    this.#older = this.#recent
    this.#recent = new Map()
  }

  /** The store does not have these after all: the next call of their kind writes them again. */
  markLost(names: Iterable<string>): void {
    for (const name of names) {
      const generation = this.#recent.has(name) ? this.#recent : this.#older
      const known = generation.get(name)
      if (known) generation.set(name, { ...known, lost: true })
    }
  }

  #promote(name: string): Remembered | undefined {
    const known = this.#older.get(name)
    if (known) this.keep(name, known)
    return known
  }
}

/** How long an affinity stands for those of the moment, in milliseconds. */
const momentMs = 1_000

/**
 * Affinities by the moment: what an account serves within a second shares one of them. Thousands of
 * names refer to it, and one each would be most of what the garbage collector has to carry.
 */
export class Moments {
  readonly #lifeMs: number
  readonly #latest = new Map<string, Affinity>()

  constructor(lifeMs: number) {
    this.#lifeMs = lifeMs
  }

  /** `now` in milliseconds since 1970. */
  of(account: string, now: number): Affinity {
    const latest = this.#latest.get(account)
    const age = latest ? now + this.#lifeMs - latest.until : Infinity
    if (latest && age >= 0 && age < momentMs) return latest
    const affinity = { account, until: now + this.#lifeMs }
    this.#latest.set(account, affinity)
    return affinity
  }
}
