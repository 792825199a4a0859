import type { Treatment } from '../../../../../src/generate/unsupported.ts'
import { Notes } from '../../../../../src/generate/notes.ts'
import type { RequestObject } from './request-object.ts'

/** The treatment of a field that the neutral model does not represent, and the reason. */
export type Rule = readonly [treatment: Treatment, reason: string]

/** The rules of an object's fields by name. `false`: the codec reads the field. No rule: it is unknown. */
export type Rules = Readonly<Record<string, Rule | false>>

const unknown = 'only the Gemini API may support it'

/** Whether a known option is a flag that is off, which is every flag's default. */
function isOff([treatment]: Rule, value: unknown): boolean {
  return treatment === 'warn' && value === false
}

/** Notes the losses of a request's objects. */
export class RequestNotes extends Notes {
  /** Notes a field as a loss. */
  noteLoss(field: string, [treatment, reason]: Rule): void {
    this.extra(field, treatment, reason)
  }

  /** Notes the fields of an object that the codec does not read, each at its first occurrence. */
  noteOthers(object: RequestObject, rules: Rules): void {
    for (const name of object.names()) {
      const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
      if (rule === false) continue
      if (rule === undefined) this.unknown(rules, name, object.pathOf(name), unknown)
      else if (isOff(rule, object.value(name))) continue
      else if (this.isFirst(rules, name)) this.noteLoss(object.pathOf(name), rule)
    }
  }
}
