import { withGaps } from './gaps.ts'
import { plainEnd } from './string-bytes.ts'
import { quote } from './plain-bytes.ts'
import { run, wordBytes } from './run.ts'

/**
 * What stands around the text of a frame, to be found again in the run that is loaded. All of it is
 * one piece of memory, compared by words.
 */
export class Template {
  /** For each literal its length in bytes, then its bytes; a last word may be filled up with zeros. */
  readonly #words: Int32Array
  /** Where the literals behind the text begin. */
  readonly #afterText: number

  /** `others` finds the values that are not compared. */
  constructor(before: string, after: string, others: RegExp | undefined) {
    const first = withGaps(before, others).flatMap(wordsOf)
    this.#afterText = first.length
    this.#words = Int32Array.from([...first, ...withGaps(after, others).flatMap(wordsOf)])
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

function wordsOf(literal: string): number[] {
  const length = Buffer.byteLength(literal)
  const bytes = Buffer.alloc(Math.ceil(length / wordBytes) * wordBytes, literal)
  bytes.fill(0, length)
  const words = [length]
  for (let at = 0; at < length; at += wordBytes) words.push(bytes.readInt32LE(at))
  return words
}

/** The position behind all of these, or -1; between two of them stands a value. */
function passOver(words: Int32Array, from: number, to: number, start: number): number {
  const { view, length } = run
  let at = start
  for (let index = from; index < to;) {
    if (index > from) {
      at = behindValue(at)
      if (at < 0) return -1
    }
    const behind = at + (words[index++] as number)
    if (behind > length) return -1
    for (; at + wordBytes <= behind; at += wordBytes) {
      if (view.getInt32(at, true) !== words[index++]) return -1
    }
    if (at < behind) {
      const mask = (1 << (8 * (behind - at))) - 1
      if ((view.getInt32(at, true) & mask) !== words[index++]) return -1
      at = behind
    }
  }
  return at
}

const digit0 = 0x30
const digit9 = 0x39

/** Behind a plain string in its quotes or a whole number, or -1. */
function behindValue(from: number): number {
  const { bytes } = run
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
