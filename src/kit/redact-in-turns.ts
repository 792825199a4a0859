import type { Account } from '../contract/account.ts'
import { isObject, setOwn } from '../lib/json/object.ts'
import { isLargeJson } from '../lib/json/write-pieces.ts'
import { Turns } from '../lib/turns.ts'
import { disclosuresOf } from './disclosures.ts'
import { redactValue } from './redact.ts'

/**
 * Redacts every string of a large JSON value as `redactValue` does, but in turns of the event loop.
 * Resolves with the value itself if there is nothing to redact.
 */
export function redactInTurns(value: unknown, account: Account): Promise<unknown> {
  return new Redactor(account).clean(value)
}

/** Characters of a text that are searched at a time. */
const windowLength = 256 * 1024

/** Characters on both sides of a window: more than a disclosed text has, in its longest spelling. */
const marginLength = 16 * 1024

class Redactor {
  readonly #account: Account
  readonly #turns = new Turns()

  constructor(account: Account) {
    this.#account = account
  }

  async clean(value: unknown): Promise<unknown> {
    if (this.#turns.isOver) await this.#turns.next()
    if (typeof value === 'string' && value.length > windowLength) return this.#text(value)
    if (!isLargeJson(value)) return redactValue(value, this.#account)
    if (Array.isArray(value)) return this.#list(value)
    return isObject(value) ? this.#object(value) : redactValue(value, this.#account)
  }

  async #list(list: readonly unknown[]): Promise<readonly unknown[]> {
    const clean: unknown[] = []
    let isChanged = false
    for (const item of list) {
      const next = await this.#member(item)
      isChanged ||= next !== item
      clean.push(next)
    }
    return isChanged ? clean : list
  }

  async #object(object: Readonly<Record<string, unknown>>): Promise<object> {
    const clean: Record<string, unknown> = {}
    let isChanged = false
    for (const name of Object.keys(object)) {
      const [key, member] = [await this.#member(name), await this.#member(object[name])]
      isChanged ||= key !== name || member !== object[name]
      setOwn(clean, String(key), member)
    }
    return isChanged ? clean : object
  }

  /** A promise for each of a hundred thousand small members would cost more than cleaning them. */
  #member(value: unknown): unknown {
    return this.#turns.isOver || isLargeJson(value)
      ? this.clean(value)
      : redactValue(value, this.#account)
  }

  async #text(text: string): Promise<string> {
    const { secret, place } = disclosuresOf(this.#account)
    const clean = secret ? await this.#replace(text, secret, '[secret]') : text
    return this.#replace(clean, place, '[upstream]')
  }

  /**
   * Replaces window by window. A match belongs to the window in which it begins. Each window is joined by itself:
   * millions of parts would take one long turn.
   */
  async #replace(text: string, pattern: RegExp, replacement: string): Promise<string> {
    const windows: string[] = []
    let copied = 0
    for (let start = 0; start < text.length; start += windowLength) {
      if (this.#turns.isOver) await this.#turns.next()
      const { parts, end } = replaceIn(text, { start, copied }, pattern, replacement)
      if (parts.length > 0) windows.push(parts.join(''))
      copied = end
    }
    return windows.length === 0 ? text : windows.join('') + text.slice(copied)
  }
}

/** A part of a text that is searched. */
interface Window {
  readonly start: number
  /** The end of what the windows before have taken. */
  readonly copied: number
}

/** The parts of a text from what is copied to the end of the last match that begins in the window. */
function replaceIn(
  text: string,
  { start, copied }: Window,
  pattern: RegExp,
  replacement: string,
): { readonly parts: readonly string[]; readonly end: number } {
  const end = start + windowLength
  const before = Math.max(0, start - marginLength)
  const window = text.slice(before, end + marginLength)
  const parts: string[] = []
  let taken = copied
  pattern.lastIndex = Math.max(copied, start) - before
  for (let match = pattern.exec(window); match; match = pattern.exec(window)) {
    const at = before + match.index
    if (at >= end) break
    parts.push(text.slice(taken, at), replacement)
    taken = at + match[0].length
  }
  pattern.lastIndex = 0
  return { parts, end: taken }
}
