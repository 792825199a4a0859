import type { Extra, Feature, Treatment } from '../../../../src/generate/losses.ts'
import type { Place } from './place.ts'

/** What becomes of a field that has no place in the neutral model. */
export type Rule = readonly [treatment: Treatment, reason: string]

/** By name. A field that no rule names is unknown. `false`: it is read elsewhere. */
export type Rules = Readonly<Record<string, Rule | false>>

const unknown: Rule = ['warn', 'Only accounts of this dialect know it.']

/** What a request uses, and what of it has no neutral form, gathered while it is read. */
export class Notes {
  readonly fields: Partial<Record<Feature, string>> = {}
  readonly extras: Extra[] = []

  /** The first place that uses a feature names it. */
  uses(feature: Feature, field: string): void {
    this.fields[feature] ??= field
  }

  extra(field: string, [treatment, reason]: Rule): void {
    this.extras.push({ field, treatment, reason })
  }

  /** Tells of every field of an object that is not read. */
  others(place: Place, rules: Rules): void {
    for (const name of place.names()) {
      const rule = Object.hasOwn(rules, name) ? rules[name] : unknown
      if (rule) this.extra(place.nameOf(name), rule)
    }
  }
}
