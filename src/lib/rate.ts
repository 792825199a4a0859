import { RecentMap } from './recent-map.ts'

/** A rate for each of many keys, by the generic cell rate algorithm: one time a key is all its state. */
export interface Rate {
  /** Takes one from the rate of a key. Returns 0, or after how many milliseconds one is left. */
  take(key: string): number
  /** Gives one back to a key. */
  giveBack(key: string): void
}

/** Options of `createRate`. */
interface RateOptions {
  /** How many a key may take in `windowMs` milliseconds. */
  readonly amount: number
  readonly windowMs: number
  /** How many a key may take at once. Default: `amount`. */
  readonly burst?: number
  /** Milliseconds of a clock that runs evenly: one that is set would lock keys out, or forgive them. */
  readonly uptime: () => number
}

/** Clients name keys: more than this many are not remembered. */
const mostKeys = 20_000

/** Creates a rate that no key has used yet. */
export function createRate({ amount, windowMs, burst = amount, uptime }: RateOptions): Rate {
  const step = windowMs / amount
  const fullAt = new RecentMap<number>(mostKeys)
  return {
    take(key) {
      const at = uptime()
      const from = Math.max(fullAt.get(key) ?? at, at)
      const wait = from + step - (at + step * burst)
      if (wait > 0) return Math.ceil(wait)
      fullAt.set(key, from + step)
      return 0
    },
    giveBack(key) {
      const known = fullAt.get(key)
      if (known !== undefined) fullAt.set(key, known - step)
    },
  }
}
