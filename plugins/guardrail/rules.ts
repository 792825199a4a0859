import { GatewayError } from '../../src/contract/errors.ts'
import { mapJsonTexts, mapValueTexts } from '../../src/generate/json-texts.ts'
import type { Place, RuleSetting } from './options.ts'
import { spelledOut } from './spelling.ts'

interface CompiledRule {
  readonly name: string
  readonly pattern: RegExp
  /** Absent: a match refuses the call. */
  readonly replacement?: string
}

/** Stands for a replacement: no pattern looks for it. */
const removed = '\u{10fffd}'

function isIn(text: string, { pattern }: CompiledRule): boolean {
  return text.search(pattern) >= 0
}

/** The rules for texts in one place. */
export class Rules {
  readonly #place: Place
  readonly #rules: readonly CompiledRule[]
  /** What masks write into texts, which may match patterns itself. */
  readonly #replacements: readonly string[]

  constructor(settings: readonly RuleSetting[], place: Place) {
    this.#place = place
    this.#rules = settings
      .filter((setting) => setting.in.includes(place))
      .map(({ name, pattern, ignoreCase, action, replacement }) => ({
        name,
        pattern: new RegExp(pattern, ignoreCase ? 'giu' : 'gu'),
        ...(action === 'mask' && { replacement }),
      }))
    this.#replacements = this.#rules.flatMap(({ replacement }) => replacement || [])
  }

  get areNone(): boolean {
    return this.#rules.length === 0
  }

  /** The text without what rules mask. Throws `GatewayError` 422 if one refuses it. */
  apply(text: string): string {
    return this.#rules.reduce((left, rule) => this.#applyOne(rule, left), text)
  }

  /** The same for JSON in which only texts and numbers are masked, so that it stays JSON. */
  applyToJson(json: string): string {
    return mapJsonTexts(json, (text) => this.apply(text))
  }

  /** The value of a reply's JSON without what rules mask in texts. Returns the same value if nothing changes. */
  applyToReply(value: unknown): unknown {
    return mapValueTexts(
      value,
      (text) => this.apply(text),
      (number) => number,
    )
  }

  /** Throws `GatewayError` 422 if a rule masks or refuses a text that cannot be changed. */
  assertAllowed(text: string): void {
    const left = this.#withoutMasks(text)
    const spelled = spelledOut(left)
    for (const rule of this.#rules) {
      if (isIn(left, rule) || (spelled !== left && isIn(spelled, rule))) throw this.#refusal(rule)
    }
  }

  #applyOne(rule: CompiledRule, text: string): string {
    const { pattern, replacement } = rule
    if (replacement === undefined) {
      const spelled = spelledOut(text)
      if (isIn(text, rule) || (spelled !== text && isIn(spelled, rule))) throw this.#refusal(rule)
      return text
    }
    // A function: in a text, `$&` would be the match.
    const masked = text.replace(pattern, () => replacement)
    const spelled = spelledOut(masked)
    if (spelled === masked || !isIn(this.#withoutMasks(spelled), rule)) return masked
    return spelled.replace(pattern, () => replacement)
  }

  #withoutMasks(text: string): string {
    return this.#replacements.reduce((left, mask) => left.replaceAll(mask, removed), text)
  }

  #refusal({ name }: CompiledRule): GatewayError {
    const message = `The ${this.#place} breaks the rule "${name}" of this service.`
    return new GatewayError('plugin_rejected', message, { retry: false })
  }
}
