import type { PluginCounters } from '../contract/plugin-start.ts'
import type { Store } from '../stores/store.ts'
import { storePrefixOf } from './plugin-records.ts'

/** In characters. */
const longestName = 256

/** The names that a plugin may have in use in one process. */
const mostNames = 100_000

const longestTtlMs = 366 * 86_400_000

/**
 * Gives a plugin counters of its own, which no other plugin reaches. The names are bounded here: a plugin that
 * counts by something that clients choose must not fill the store. `now`: milliseconds since 1970.
 */
export function countersOfPlugin(
  store: Pick<Store, 'counters'>,
  plugin: string,
  {
    most = mostNames,
    now = Date.now,
  }: { readonly most?: number; readonly now?: () => number } = {},
): PluginCounters {
  const counters = store.counters(storePrefixOf(plugin))
  const names = new NamesInUse(most, now)
  const count: PluginCounters['count'] = async (name, n, options) => {
    checkName(name)
    if (!Number.isSafeInteger(n)) throw new TypeError('A counter counts in whole numbers.')
    const ttlMs = checkedTtl(options)
    if (!names.use(name, ttlMs))
      throw new RangeError(`This plugin has ${most} counters in use in this process already.`)
    return counters.add(name, n, { ttlMs })
  }
  return {
    count,
    add: async (name, n, options) => (await count(name, n, options)).total,
    async get(name) {
      checkName(name)
      return counters.get(name)
    },
  }
}

function checkName(name: unknown): void {
  const isName =
    typeof name === 'string' && name !== '' && name.length <= longestName && name.isWellFormed()
  if (!isName) throw new TypeError(`The name of a counter has 1 to ${longestName} characters.`)
}

function checkedTtl(options: { readonly ttlMs: number } | undefined): number {
  const ttlMs = options?.ttlMs
  if (typeof ttlMs === 'number' && ttlMs >= 1 && ttlMs <= longestTtlMs) return ttlMs
  throw new TypeError('`ttlMs` of a counter is from 1 millisecond to 366 days.')
}

/** The names whose time is not over, as far as this process has added to them. */
class NamesInUse {
  readonly #most: number
  readonly #now: () => number
  /** When each is over, in milliseconds since 1970. */
  readonly #ends = new Map<string, number>()
  /** When the next look for names that are over is worth its time. */
  #sweepsAt = 0

  constructor(most: number, now: () => number) {
    this.#most = most
    this.#now = now
  }

  /** False: too many names are in use. */
  use(name: string, ttlMs: number): boolean {
    const now = this.#now()
    const end = this.#ends.get(name)
    if (end !== undefined && end > now) return true
    if (end === undefined && this.#ends.size >= this.#most && !this.#sweep(now)) return false
    this.#ends.set(name, now + ttlMs)
    return true
  }

  /** Forgets names that are over, at most once a second; whether there is room. */
  #sweep(now: number): boolean {
    if (now < this.#sweepsAt) return false
    this.#sweepsAt = now + 1_000
    for (const [name, end] of this.#ends) if (end <= now) this.#ends.delete(name)
    return this.#ends.size < this.#most
  }
}
