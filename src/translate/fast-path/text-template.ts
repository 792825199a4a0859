import type { TextDelta } from '../../contract/codec.ts'
import { inputBuffer } from './input-buffer.ts'
import { plainEnd, quote } from './json-bytes.ts'
import { appendWords, byteLengthAt, containsText, nextText } from './word-compare.ts'

/** Cuts a text at the values that the pattern finds. Returns the literals between them. */
function splitAtValues(text: string, values: RegExp | undefined): string[] {
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

/**
 * A pattern that finds the values of these members at any depth: non-negative integers, and the content
 * of strings without escapes. It does not find other values. Undefined without members.
 */
export function templateValuesOf(members: readonly string[]): RegExp | undefined {
  if (members.length === 0) return undefined
  const name = `"(?:${members.map((member) => RegExp.escape(member)).join('|')})": ?"?`
  // oxlint-disable-next-line no-control-regex -- a string without escapes contains none of them
  const value = /(?<=")[^"\\\u0000-\u001f]*(?=")|(?<=: ?)(?:0|[1-9]\d*)/.source
  return new RegExp(`(?<name>${name})(?<value>${value})`, 'g')
}

/** A frame without its text, which recognizes the frame with another text in the input buffer. */
export class TextTemplate {
  readonly #words: number[] = []
  /** The index of the literals after the text. */
  readonly #afterText: number

  /**
   * `before` and `after` are the frame around its text, without U+0000. The values that `ignored` finds
   * may differ.
   */
  constructor(before: string, after: string, ignored: RegExp | undefined) {
    this.#add(before, ignored)
    this.#afterText = this.#words.length
    this.#add(after, ignored)
  }

  #add(text: string, ignored: RegExp | undefined): void {
    for (const literal of splitAtValues(text, ignored)) {
      appendWords(this.#words, Buffer.from(literal))
    }
  }

  /** The position of the text in the frame that begins at `at`, or -1 for another frame. */
  textStart(at: number): number {
    return passOver(this.#words, 0, this.#afterText, at)
  }

  /** The end of the frame whose text ends at `at`, or -1 for another frame. */
  frameEnd(at: number): number {
    return passOver(this.#words, this.#afterText, this.#words.length, at)
  }
}

/** The position after these literals, with one value between each two of them, or -1. */
function passOver(words: readonly number[], from: number, to: number, start: number): number {
  let at = start
  for (let index = from; index < to; index = nextText(words, index)) {
    if (index > from) {
      at = valueEnd(at)
      if (at < 0) return -1
    }
    const end = at + byteLengthAt(words, index)
    if (end > inputBuffer.length || !containsText(inputBuffer, at, words, index)) return -1
    at = end
  }
  return at
}

const digit0 = 0x30

const digit9 = 0x39

/** The end of a string without escapes, or of a non-negative integer, or -1. */
function valueEnd(from: number): number {
  const { bytes } = inputBuffer
  if (bytes[from - 1] === quote) return plainEnd(bytes, from)
  // JSON has no leading zeros.
  if (bytes[from] === digit0) return from + 1
  let at = from
  while (isDigit(bytes[at] as number)) at++
  return at === from ? -1 : at
}

function isDigit(byte: number): boolean {
  return byte >= digit0 && byte <= digit9
}

/**
 * The position of the text in a frame, between its quotes. The same characters may also occur elsewhere
 * in the frame. Therefore `textIn` reads the frame with another text at the position found, which must
 * return that text. Undefined if the text is not found as `JSON.stringify` would write it.
 */
export function locateText(
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
    const isText = textIn(`${frame.slice(0, end)}.${frame.slice(end)}`) === `${text}.`
    return isText ? { start, end } : undefined
  }
  return undefined
}
