import { GatewayError } from '../../src/contract/errors.ts'
import { mapJsonTexts, mapValueTexts } from '../../src/generate/json-texts.ts'
import type { Change, ChangeParts } from '../../src/generate/text-runs.ts'
import { TextMap, TextSet } from '../../src/lib/text-map.ts'
import type { Work } from '../../src/lib/turns.ts'
import type { Place, RuleSetting } from './options.ts'
import { Stretch, beginnings, split } from './stretch.ts'
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
   * Returns the result of `map` with all matches masked. `map` returns the same value if no text changes, and gives the
   * texts beside each other to its second parameter in the same order each time. Throws `GatewayError` 422 if a rule
   * refuses a text.
   */
  *applyIn<Value>(map: (change: Change, changeParts: ChangeParts) => Value): Work<Value> {
    const texts: string[] = []
    const known = new TextSet()
    const lists: (readonly string[])[] = []
    const unchanged = map(
      (text) => {
        const { size } = known
        if (known.add(text).size > size) texts.push(text)
        return text
      },
      (parts) => {
        lists.push(parts)
        return parts
      },
    )
    const masked = new TextMap<string>()
    for (const text of texts) {
      const left = yield* this.apply(text)
      if (left !== text) masked.set(text, left)
    }
    const left: (readonly string[])[] = []
    for (const parts of lists) left.push(yield* this.applyToParts(parts))
    const isSame = masked.size === 0 && left.every((parts, index) => parts === lists[index])
    if (isSame) return unchanged
    let at = 0
    return map(
      (text) => masked.get(text) ?? text,
      () => left[at++]!,
    )
  }

  /** Masks matches in the texts and numbers of JSON, so that it stays JSON. */
  applyToJson(json: string): Work<string> {
    return this.applyIn((change) => mapJsonTexts(json, change))
  }

  /** Masks matches in the texts of a reply's JSON value. Returns the same value if nothing changes. */
  applyToReply(value: unknown): Work<unknown> {
    return this.applyIn((change, changeParts) =>
      mapValueTexts(value, change, (number) => number, changeParts),
    )
  }

  /** Masks matches in a text, window by window. Throws `GatewayError` 422 if a rule refuses it. */
  *apply(text: string): Work<string> {
    const [left = ''] = yield* this.applyToParts([text])
    return left
  }

  /**
   * Masks matches in parts of one text, in each part that a match touches. Other parts stay as they are. Throws
   * `GatewayError` 422 if a rule refuses the text.
   */
  *applyToParts(parts: readonly string[]): Work<readonly string[]> {
    const text = parts.join('')
    const cuts = beginnings(parts)
    const moved: number[] = []
    const pieces: string[] = []
    let length = 0
    let context = ''
    let hasChanged = false
    let at = 0
    do {
      let stretch = windowAt(text, at, context, cuts, moved.length)
      const end = at + stretch.own.length + stretch.after.length
      for (const rule of this.#rules) stretch = this.#applyOne(rule, stretch)
      yield
      const next = end - stretch.after.length
      hasChanged ||= stretch.own !== text.slice(at, next)
      for (const cut of stretch.cuts) {
        if (cuts[moved.length]! > next) break
        moved.push(length + Math.min(cut, stretch.own.length))
      }
      pieces.push(stretch.own)
      length += stretch.own.length
      at = next
      context = contextOf(stretch.before + stretch.own)
    } while (at < text.length)
    return hasChanged ? split(pieces.join(''), moved) : parts
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
    return masked.withSpelled(spelled.replace(pattern, replacement))
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
