import { RecentMap } from '../../src/lib/recent-map.ts'

/** A pause that an account asked for. */
export interface CoolDown {
  /** In milliseconds, on the plugin's clock. */
  readonly until: number
  /** The status of the reply that asked for it. */
  readonly status: number | undefined
  /** The only key that it concerns. Absent: all keys. */
  readonly keyId?: string
}

type KeyCoolDown = CoolDown & { readonly keyId: string }

/** Keys whose own pauses are known, per model. */
const mostKeys = 20

/**
 * The rest of one model at one account. A limit lets it rest for all keys. The overload that calls of one
 * key meet lets it rest for this key, and for all as long as a second key meets it too, without an answer
 * between the two.
 */
export class ModelRest {
  #all: CoolDown | undefined
  readonly #own = new RecentMap<KeyCoolDown>(mostKeys)
  /** The longest of `#own` since the model's last answer: earlier ones say nothing about other keys. */
  #sinceAnswer: KeyCoolDown | undefined

  recordLimit(coolDown: CoolDown): void {
    this.#all = laterOf(this.#all, coolDown)
  }

  recordOverload(coolDown: KeyCoolDown, now: number): void {
    const { keyId } = coolDown
    const own = this.#own.get(keyId)
    this.#own.set(keyId, own ? laterOf(own, coolDown) : coolDown)
    const known = this.#sinceAnswer
    const agrees = known && known.keyId !== keyId && known.until > now
    this.#sinceAnswer = agrees ? laterOf(known, coolDown) : coolDown
    if (!agrees) return
    const { until, status } = known.until < coolDown.until ? known : coolDown
    this.#all = laterOf(this.#all, { until, status })
  }

  recordAnswer(): void {
    this.#sinceAnswer = undefined
  }

  /** The cool-down that concerns a key, whether or not it is over. */
  of(keyId: string): CoolDown | undefined {
    return laterOf(this.#own.get(keyId), this.#all)
  }

  /** The cool-downs at a time: for all keys, then for those that rest longer. */
  all(now: number): CoolDown[] {
    const all = this.#all
    const found: CoolDown[] = all && all.until > now ? [all] : []
    const end = Math.max(now, all?.until ?? 0)
    this.#own.forEach((own) => {
      if (own.until > end) found.push(own)
    })
    return found
  }
}

/** The one that ends last. */
export function laterOf<One extends CoolDown>(one: One, other: One): One
export function laterOf(
  one: CoolDown | undefined,
  other: CoolDown | undefined,
): CoolDown | undefined
export function laterOf(
  one: CoolDown | undefined,
  other: CoolDown | undefined,
): CoolDown | undefined {
  if (!one || !other) return one ?? other
  return one.until < other.until ? other : one
}
