import { RecentMap } from '../../src/lib/recent-map.ts'
import { type CoolDown, ModelRest, laterOf } from './model-rest.ts'

/** The longest cool-down that a `retry-after` causes, in milliseconds. */
const longestMs = 10 * 60_000
/** Models per account whose cool-downs are known. Callers name them. */
const mostModels = 1_000

/** A pause that an account asks for. */
interface Pause {
  readonly pauseMs: number
  /** The status of the reply that asks for it. */
  readonly status: number | undefined
}

/** The cool-downs of one account: of single models, and of the whole account. */
export class CoolDowns {
  #whole: CoolDown | undefined
  readonly #models = new RecentMap<ModelRest>(mostModels)

  /** A limit concerns all keys. `model` is `undefined` for the whole account. */
  recordLimit(model: string | undefined, pause: Pause, now: number): void {
    const coolDown = coolDownOf(pause, now)
    if (model === undefined) this.#whole = laterOf(this.#whole, coolDown)
    else this.#restOf(model).recordLimit(coolDown)
  }

  /** An overload that a call meets may be due to its request: it is evidence of its key alone. */
  recordOverload(model: string, keyId: string, pause: Pause, now: number): void {
    this.#restOf(model).recordOverload({ ...coolDownOf(pause, now), keyId }, now)
  }

  /** Records an answer of a model. */
  recordAnswer(model: string): void {
    this.#models.get(model)?.recordAnswer()
  }

  /** The cool-downs at a time: of the whole account, then of models. */
  all(now: number): (CoolDown & { readonly model?: string })[] {
    const found: (CoolDown & { readonly model?: string })[] = []
    if (this.#whole && this.#whole.until > now) found.push(this.#whole)
    this.#models.forEach((rest, model) => {
      for (const coolDown of rest.all(now)) found.push({ ...coolDown, model })
    })
    return found
  }

  /** The cool-down of a model for a key, its own or the account's: the one that ends last. */
  of(model: string, keyId: string, now: number): CoolDown | undefined {
    const latest = laterOf(this.#models.get(model)?.of(keyId), this.#whole)
    return latest && latest.until > now ? latest : undefined
  }

  /** Ends a cool-down; `undefined` for that of the whole account. */
  end(model: string | undefined): void {
    if (model === undefined) this.#whole = undefined
    else this.#models.delete(model)
  }

  #restOf(model: string): ModelRest {
    let rest = this.#models.get(model)
    if (!rest) this.#models.set(model, (rest = new ModelRest()))
    return rest
  }
}

function coolDownOf({ pauseMs, status }: Pause, now: number): CoolDown {
  return { until: now + Math.min(pauseMs, longestMs), status }
}
