import { RecentMap } from '../../src/lib/recent-map.ts'

/** The longest cool-down that a `retry-after` causes, in milliseconds. */
const longestMs = 10 * 60_000
/** Models per account whose cool-downs are known. Callers name them. */
const mostModels = 1_000

/** A pause that an account asked for. */
interface CoolDown {
  /** In milliseconds since 1970. */
  readonly until: number
  /** The status of the reply that asked for it. */
  readonly status: number | undefined
}

/** The cool-downs of one account: of single models, and of the whole account. */
export class CoolDowns {
  #whole: CoolDown | undefined
  readonly #models = new RecentMap<CoolDown>(mostModels)

  /** `model` is `undefined` for the whole account. */
  begin(model: string | undefined, pauseMs: number, status: number | undefined, now: number): void {
    const coolDown = { until: now + Math.min(pauseMs, longestMs), status }
    if (model === undefined) this.#whole = coolDown
    else this.#models.set(model, coolDown)
  }

  /** The cool-downs at a time: of the whole account, then of models. */
  *all(now: number): Generator<CoolDown & { readonly model?: string }> {
    if (this.#whole && this.#whole.until > now) yield this.#whole
    for (const [model, coolDown] of this.#models.entries()) {
      if (coolDown.until > now) yield { ...coolDown, model }
    }
  }

  /** The cool-down of a model, its own or the account's: the one that ends last. */
  of(model: string, now: number): CoolDown | undefined {
    const own = this.#models.get(model)
    const latest = own && this.#whole && own.until < this.#whole.until ? this.#whole : own
    const coolDown = latest ?? this.#whole
    return coolDown && coolDown.until > now ? coolDown : undefined
  }

  /** Ends a cool-down; `undefined` for that of the whole account. */
  end(model: string | undefined): void {
    if (model === undefined) this.#whole = undefined
    else this.#models.delete(model)
  }
}
