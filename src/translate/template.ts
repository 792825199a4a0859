import { withGaps } from './gaps.ts'
import { plainEnd } from './string-bytes.ts'
import { quote } from './plain-bytes.ts'
import { run } from './run.ts'
import { addWords, behindWords, holds, lengthAt } from './words.ts'

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
    for (const literal of withGaps(text, others)) addWords(this.#words, Buffer.from(literal))
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
    if (behind > run.length || !holds(run, at, words, index)) return -1
    at = behind
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
