import type { Counters } from './store.ts'

interface Counter {
  value: number
  /** Milliseconds since 1970. */
  readonly expires: number
}

/** The counters that each addition looks at for those whose time is over. */
const batchSize = 2

/** Counters that say how many there are, those whose time is over included. */
interface MemoryCounters extends Counters {
  readonly size: number
}

/** The counters of one namespace in memory. `assertOpen` throws for a closed store. */
export function memoryCounters(assertOpen: () => void): MemoryCounters {
  const counters = new Map<string, Counter>()
  let sweep = counters.entries()

  function live(id: string): Counter | undefined {
    assertOpen()
    const counter = counters.get(id)
    return counter && counter.expires > Date.now() ? counter : undefined
  }

  /** Names with a time in them are never asked for again, so additions remove a little more than they make. */
  function sweepSome(): void {
    for (let count = 0; count < batchSize; count++) {
      const { done, value } = sweep.next()
      if (done) {
        sweep = counters.entries()
        return
      }
      const [id, { expires }] = value
      if (expires <= Date.now()) counters.delete(id)
    }
  }

  return {
    get size() {
      return counters.size
    },
    // Nothing is awaited between the reading and the writing.
    async add(id, by, { ttlMs } = {}) {
      const known = live(id)
      sweepSome()
      if (known) {
        known.value += by
        return { total: known.value, remainingMs: known.expires - Date.now() }
      }
      const remainingMs = ttlMs ?? Infinity
      // Behind the others in the order of the sweep.
      counters.delete(id)
      counters.set(id, { value: by, expires: Date.now() + remainingMs })
      return { total: by, remainingMs }
    },
    get: async (id) => live(id)?.value ?? 0,
  }
}
