/** A pause that an account asked for. */
export interface CoolDown {
  /** In milliseconds since 1970. */
  readonly until: number
  /** The status of the reply that asked for it. */
  readonly status: number | undefined
  /** The only key that it concerns. Absent: all keys. */
  readonly keyId?: string
}

type KeyCoolDown = CoolDown & { readonly keyId: string }

/**
 * The rest of one model at one account. A limit lets it rest for all keys. The overload that calls of one
 * key meet lets it rest for this key, and for all as long as a second key meets it too, without an answer
 * between the two.
 */
export class ModelRest {
  #all: CoolDown | undefined
  #own: KeyCoolDown | undefined
  /** Whether the model has answered since `#own`, which then says nothing about other keys. */
  #hasAnswered = false

  limit(coolDown: CoolDown): void {
    this.#all = coolDown
  }

  overload(coolDown: KeyCoolDown, now: number): void {
    const known = this.#own
    const agrees =
      known && known.keyId !== coolDown.keyId && known.until > now && !this.#hasAnswered
    this.#own = agrees ? laterOf(known, coolDown) : coolDown
    this.#hasAnswered = false
    if (!agrees) return
    const { until, status } = known.until < coolDown.until ? known : coolDown
    this.#all = laterOf(this.#all, { until, status })
  }

  answer(): void {
    this.#hasAnswered = true
  }

  /** The cool-down that concerns a key, whether or not it is over. */
  of(keyId: string): CoolDown | undefined {
    return this.#own?.keyId === keyId ? laterOf(this.#own, this.#all) : this.#all
  }

  /** The cool-downs at a time: for all keys, then for the one that rests longer. */
  *all(now: number): Generator<CoolDown> {
    const all = this.#all
    if (all && all.until > now) yield all
    if (this.#own && this.#own.until > Math.max(now, all?.until ?? 0)) yield this.#own
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
