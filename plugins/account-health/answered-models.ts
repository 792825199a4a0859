import { RecentMap } from '../../src/lib/recent-map.ts'

/** Models per account that are known to answer. Accounts that accept any name have any number. */
const mostModels = 1_000

interface Answered {
  /** The key of the last call that was refused since the last answer. */
  refused?: string
}

/**
 * The models of one account that have answered calls, so that a refusal of a call to one of them is
 * about the call. Refusals of two keys without an answer between them end that.
 */
export class AnsweredModels {
  readonly #models = new RecentMap<Answered>(mostModels)

  answer(model: string): void {
    const known = this.#models.get(model)
    if (!known) this.#models.set(model, {})
    else if (known.refused !== undefined) delete known.refused
  }

  /** Records a refusal of a call. Returns whether the model is known to answer all the same. */
  refuse(model: string, keyId: string): boolean {
    const known = this.#models.get(model)
    if (!known) return false
    if (known.refused === undefined || known.refused === keyId) {
      known.refused = keyId
      return true
    }
    this.#models.delete(model)
    return false
  }
}
