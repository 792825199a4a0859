import type { TextDelta } from '../../contract/codec.ts'
import { plainEnd, quote } from './bytes.ts'
import { addWords, behindWords, holds, lengthAt, frameRun } from './words.ts'

/**
 * Cuts text at values that may be others each time: whole numbers, and plain strings within their
 * quotes. A value that is neither stays.
 */
export function maskVolatile(text: string, values: RegExp | undefined): string[] {
  if (!values) return [text]
  const literals: string[] = []
  let from = 0
  for (const { index, groups } of text.matchAll(values)) {
    const { name = '', value = '' } = groups ?? {}
    const at = index + name.length
    literals.push(text.slice(from, at))
    from = at + value.length
  }
  literals.push(text.slice(from))
  return literals
}

/** Finds such values of members with these names, wherever they stand. */
export function templateValues(members: readonly string[]): RegExp | undefined {
  if (members.length === 0) return undefined
  const name = `"(?:${members.map((member) => RegExp.escape(member)).join('|')})": ?"?`
  // oxlint-disable-next-line no-control-regex -- a plain string holds none of them
  const value = /(?<=")[^"\\\u0000-\u001f]*(?=")|(?<=: ?)(?:0|[1-9]\d*)/.source
  return new RegExp(`(?<name>${name})(?<value>${value})`, 'g')
}

/**
 * What stands around the text of a frame, to be found again in the run that is loaded. All of it is
 * one piece of memory, compared by words.
 */
export class Template {
  readonly #words: number[] = []
  /** Where the literals behind the text begin. */
  readonly #afterText: number

  /** No character of `before` and `after` may be zero. `others` finds the values that are not compared. */
  constructor(before: string, after: string, others: RegExp | undefined) {
    this.#add(before, others)
    this.#afterText = this.#words.length
    this.#add(after, others)
  }

  #add(text: string, others: RegExp | undefined): void {
    for (const literal of maskVolatile(text, others)) addWords(this.#words, Buffer.from(literal))
  }

  /** Where the text begins of a frame that begins here, or -1. */
  textStart(at: number): number {
    return passOver(this.#words, 0, this.#afterText, at)
  }

  /** Where the frame ends whose text ends here, or -1. */
  frameEnd(at: number): number {
    return passOver(this.#words, this.#afterText, this.#words.length, at)
  }
}

/** The position behind all of these, or -1; between two of them stands a value. */
function passOver(words: readonly number[], from: number, to: number, start: number): number {
  let at = start
  for (let index = from; index < to; index = behindWords(words, index)) {
    if (index > from) {
      at = behindValue(at)
      if (at < 0) return -1
    }
    const behind = at + lengthAt(words, index)
    if (behind > frameRun.length || !holds(frameRun, at, words, index)) return -1
    at = behind
  }
  return at
}

const digit0 = 0x30

const digit9 = 0x39

/** Behind a plain string in its quotes or a whole number, or -1. */
function behindValue(from: number): number {
  const { bytes } = frameRun
  if (bytes[from - 1] === quote) return plainEnd(bytes, from)
  // No digit may follow a zero at the beginning.
  if (bytes[from] === digit0) return from + 1
  let at = from
  while (isDigit(bytes[at] as number)) at++
  return at === from ? -1 : at
}

function isDigit(byte: number): boolean {
  return byte >= digit0 && byte <= digit9
}

/**
 * Where the text stands in a frame, between its quotes. `textIn` reads a frame: what was found counts
 * only if another text in its place is the text of the frame, since the same words may stand elsewhere
 * as well. Undefined where it is written in some other way than most do.
 */
export function textPlaceOf(
  { key, text }: TextDelta,
  frame: string,
  textIn: (frame: string) => string | undefined,
): { start: number; end: number } | undefined {
  const written = JSON.stringify(text)
  for (const member of [`"${key}":${written}`, `"${key}": ${written}`]) {
    const at = frame.indexOf(member)
    if (at < 0) continue
    const end = at + member.length - 1
    const start = end - written.length + 2
    const isThere = textIn(`${frame.slice(0, end)}.${frame.slice(end)}`) === `${text}.`
    return isThere ? { start, end } : undefined
  }
  return undefined
}
