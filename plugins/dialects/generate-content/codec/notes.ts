import type { Treatment } from '../../../../src/generate/losses.ts'
import { Notes } from '../../../../src/generate/notes.ts'
import type { Place } from './place.ts'

/** What becomes of a field that has no place in the neutral model. */
export type Rule = readonly [treatment: Treatment, reason: string]

/** By name. A field that no rule names is unknown. `false`: it is read elsewhere. */
export type Rules = Readonly<Record<string, Rule | false>>

const unknown: Rule = ['warn', 'only accounts of this dialect know it']

/** Notes of what stands at places. */
export class PlaceNotes extends Notes {
  lost(field: string, [treatment, reason]: Rule): void {
    this.extra(field, treatment, reason)
  }

  /** Tells of every field of an object that is not read. */
  others(place: Place, rules: Rules): void {
    for (const name of place.names()) {
      const rule = Object.hasOwn(rules, name) ? rules[name] : unknown
      if (rule) this.lost(place.nameOf(name), rule)
    }
  }
}
