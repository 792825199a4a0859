import type { Treatment } from '../../../../../src/generate/unsupported.ts'
import { Notes } from '../../../../../src/generate/notes.ts'
import type { FieldPlace } from './field-place.ts'

/** What becomes of a field that has no place in the neutral model. */
export type Rule = readonly [treatment: Treatment, reason: string]

/** By name. A field that no rule names is unknown. `false`: it is read elsewhere. */
export type Rules = Readonly<Record<string, Rule | false>>

const unknown = 'only the Gemini API may know it'

/** Notes of what stands at places. */
export class PlaceNotes extends Notes {
  lost(field: string, [treatment, reason]: Rule): void {
    this.extra(field, treatment, reason)
  }

  /** Tells of the fields of an object that are not read, each where it first stands. */
  others(place: FieldPlace, rules: Rules): void {
    for (const name of place.names()) {
      const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
      if (rule === false) continue
      if (rule === undefined) this.unknown(rules, name, place.nameOf(name), unknown)
      else if (this.isFirst(rules, name)) this.lost(place.nameOf(name), rule)
    }
  }
}
