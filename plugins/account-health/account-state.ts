import { RecentMap } from '../../src/lib/recent-map.ts'
import { AnsweredModels } from './answered-models.ts'
import { AccountChecks } from './checks.ts'
import { CoolDowns } from './cool-downs.ts'
import { type Exclusion, Standing } from './standing.ts'

/** Models per account whose refusals are known. Callers name them. */
const mostModels = 1_000

/** All that the plugin knows of one account. A changed configuration starts with an empty record. */
export class AccountState {
  /** The account's credential and credit. */
  readonly whole = new Standing()
  readonly coolDowns = new CoolDowns()
  readonly answered = new AnsweredModels()
  readonly checks = new AccountChecks()
  /** Whether a check has excluded the account, and which timer begins the next one. */
  isOut = false
  timer: NodeJS.Timeout | undefined
  readonly #models = new RecentMap<Standing>(mostModels)

  /** The account's access to a model, by its upstream name; `undefined` if nothing was ever refused. */
  knownModel(model: string): Standing | undefined {
    return this.#models.get(model)
  }

  /** What excludes the account, or one of its models, now. */
  exclusions(now: number): { readonly model?: string; readonly exclusion: Exclusion }[] {
    const whole = this.whole.exclusionAt(now)
    const found: { model?: string; exclusion: Exclusion }[] = whole ? [{ exclusion: whole }] : []
    this.#models.forEach((standing, model) => {
      const exclusion = standing.exclusionAt(now)
      if (exclusion) found.push({ model, exclusion })
    })
    return found
  }

  /** The same as `knownModel`, created if necessary. */
  model(model: string): Standing {
    let standing = this.#models.get(model)
    if (!standing) this.#models.set(model, (standing = new Standing()))
    return standing
  }
}
