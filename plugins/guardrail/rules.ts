import { GatewayError } from '../../src/contract/errors.ts'
import { mapJsonTexts, mapValueTexts } from '../../src/generate/json-texts.ts'
import { TextMap, TextSet } from '../../src/lib/text-map.ts'
import type { Work } from '../../src/lib/turns.ts'
import type { Place, RuleSetting } from './options.ts'
import { Stretch, lengthBefore } from './stretch.ts'
import { contextOf, windowAt } from './windows.ts'

interface CompiledRule {
  readonly name: string
  readonly pattern: RegExp
  /** Absent: a match refuses the call. */
  readonly replacement?: string
}

/** Stands for a replacement: no pattern looks for it. */
const removed = '\u{10fffd}'

/** The greatest length of a replacement, in characters. The schema of `replacement` has the same limit. */
const longestMask = 64

function isIn(stretch: Stretch, { pattern }: CompiledRule): boolean {
  return stretch.find(pattern) !== undefined
}

/**
 * The greatest length of a text of this length when it is spelled out and masked: one character may make eighteen.
 * A match in a text that grows more refuses the call.
 */
function mostGrowth(length: number): number {
  return 2 * length + 4_096
}

/** The rules for texts in one place. */
export class Rules {
  readonly #place: Place
  readonly #rules: readonly CompiledRule[]
  /** The replacements that masks write into texts. A replacement may match a pattern itself. */
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

  /**
   * Returns the result of `map` with all matches masked. `map` returns the same value if no text changes.
   * Throws `GatewayError` 422 if a rule refuses a text.
   */
  *applyIn<Value>(map: (change: (text: string) => string) => Value): Work<Value> {
    const texts: string[] = []
    const known = new TextSet()
    const unchanged = map((text) => {
      const { size } = known
      if (known.add(text).size > size) texts.push(text)
      return text
    })
    const masked = new TextMap<string>()
    for (const text of texts) {
      const left = yield* this.apply(text)
      if (left !== text) masked.set(text, left)
    }
    return masked.size === 0 ? unchanged : map((text) => masked.get(text) ?? text)
  }

  /** Masks matches in the texts and numbers of JSON, so that it stays JSON. */
  applyToJson(json: string): Work<string> {
    return this.applyIn((change) => mapJsonTexts(json, change))
  }

  /** Masks matches in the texts of a reply's JSON value. Returns the same value if nothing changes. */
  applyToReply(value: unknown): Work<unknown> {
    return this.applyIn((change) => mapValueTexts(value, change, (number) => number))
  }

  /** Masks matches in a text, window by window. Throws `GatewayError` 422 if a rule refuses it. */
  *apply(text: string): Work<string> {
    const pieces: string[] = []
    let context = ''
    let hasChanged = false
    let at = 0
    do {
      let stretch = windowAt(text, at, context)
      const end = at + stretch.own.length + stretch.after.length
      for (const rule of this.#rules) stretch = this.#applyOne(rule, stretch)
      yield
      const next = end - stretch.after.length
      hasChanged ||= stretch.own !== text.slice(at, next)
      pieces.push(stretch.own)
      at = next
      context = contextOf(stretch.before + stretch.own)
    } while (at < text.length)
    return hasChanged ? pieces.join('') : text
  }

  /** Throws `GatewayError` 422 if a rule masks or refuses a text that cannot be changed. */
  *assertAllowed(text: string): Work<void> {
    let at = 0
    do {
      const window = windowAt(text, at, contextOf(text.slice(0, at)))
      const stretch = this.#withoutMasks(window)
      for (const rule of this.#rules) this.#assertOne(rule, stretch)
      yield
      at += window.own.length
    } while (at < text.length)
  }

  #assertOne(rule: CompiledRule, stretch: Stretch): void {
    if (isIn(stretch, rule) || (stretch.spelled !== stretch && isIn(stretch.spelled, rule))) {
      throw this.#refusal(rule)
    }
  }

  #applyOne(rule: CompiledRule, stretch: Stretch): Stretch {
    const { pattern, replacement } = rule
    if (replacement === undefined) {
      this.#assertOne(rule, stretch)
      return stretch
    }
    const masked = stretch.replace(pattern, replacement)
    const { spelled } = masked
    if (spelled === masked || !isIn(this.#withoutMasks(spelled), rule)) return masked
    if (spelled.text.length > mostGrowth(masked.text.length)) throw this.#refusal(rule)
    const { before, own, after } = spelled.replace(pattern, replacement)
    const taken = lengthBefore(masked.after, spelled.after.length - after.length)
    return new Stretch(before, own, masked.after.slice(taken))
  }

  /** A mask may stand across the parts of a stretch, so that a pattern looks further back than its own part. */
  #withoutMasks(stretch: Stretch): Stretch {
    const text = this.#withoutMasksIn(stretch.text)
    if (text === stretch.text) return stretch
    const { before, after } = stretch
    const from = Math.max(this.#withoutMasksIn(before).length - longestMask, before === '' ? 0 : 1)
    const end = text.length - this.#withoutMasksIn(after).length
    return new Stretch(text.slice(0, from), text.slice(from, end), text.slice(end))
  }

  #withoutMasksIn(text: string): string {
    return this.#replacements.reduce((left, mask) => left.replaceAll(mask, removed), text)
  }

  #refusal({ name }: CompiledRule): GatewayError {
    const message = `The ${this.#place} breaks the rule "${name}" of this service.`
    return new GatewayError('plugin_rejected', message, { retry: false })
  }
}
