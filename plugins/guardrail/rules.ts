import { GatewayError } from '../../src/contract/errors.ts'
import { isObject } from '../../src/lib/json/object.ts'
import { parseOrUndefined } from '../../src/lib/json/read.ts'
import type { Place, RuleSetting } from './options.ts'

interface CompiledRule {
  readonly name: string
  readonly pattern: RegExp
  /** Absent: a match refuses the call. */
  readonly replacement?: string
}

/** The rules for texts in one place. */
export class Rules {
  readonly #place: Place
  readonly #rules: readonly CompiledRule[]

  constructor(settings: readonly RuleSetting[], place: Place) {
    this.#place = place
    this.#rules = settings
      .filter((setting) => setting.in.includes(place))
      .map(({ name, pattern, ignoreCase, action, replacement }) => ({
        name,
        pattern: new RegExp(pattern, ignoreCase ? 'giu' : 'gu'),
        ...(action === 'mask' && { replacement }),
      }))
  }

  get areNone(): boolean {
    return this.#rules.length === 0
  }

  /** The text without what rules mask. Throws `GatewayError` 422 if one refuses it. */
  apply(text: string): string {
    return this.#rules.reduce((left, rule) => this.#applyOne(rule, left), text)
  }

  /** The same for JSON in which only texts are masked, so that it stays JSON. */
  applyToJson(json: string): string {
    const value = parseOrUndefined(json)
    if (value === undefined) return this.apply(json)
    const applied = this.#applyWithin(value)
    return applied === value ? json : JSON.stringify(applied)
  }

  #applyOne({ name, pattern, replacement }: CompiledRule, text: string): string {
    // A function: in a text, `$&` would be the match.
    if (replacement !== undefined) return text.replace(pattern, () => replacement)
    if (text.search(pattern) < 0) return text
    const message = `The ${this.#place} breaks the rule "${name}" of this service.`
    throw new GatewayError('plugin_rejected', message, { retry: false })
  }

  /** Returns the same value if nothing in it changes. */
  #applyWithin(value: unknown): unknown {
    if (typeof value === 'string') return this.apply(value)
    if (Array.isArray(value)) {
      const list = value.map((one) => this.#applyWithin(one))
      return list.some((one, index) => one !== value[index]) ? list : value
    }
    if (!isObject(value)) return value
    const entries = Object.entries(value)
    const applied = entries.map(([name, one]) => [name, this.#applyWithin(one)] as const)
    const hasChanged = applied.some(([, one], index) => one !== entries[index]![1])
    return hasChanged ? Object.fromEntries(applied) : value
  }
}
