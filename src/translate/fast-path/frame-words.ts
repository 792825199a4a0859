import type { TextFrame } from '../../contract/codec.ts'
import { mostDigits, writeNumber } from './bytes.ts'
import { type Memory, addWords, behindWords, writeWords } from './words.ts'

const quote = Buffer.from('"')

/** What stands around a text that goes to a client, quotes and all, in one piece of memory. */
export class FrameWords {
  readonly frame: TextFrame
  readonly #words: number[] = []
  /** Where the words behind the text begin. */
  readonly #afterText: number
  /** Whether a number follows those, and then more words. */
  readonly isNumbered: boolean
  /** How many bytes stand before the text. */
  readonly textStart: number
  /** The most bytes of a frame, but for its text. */
  readonly size: number

  constructor(frame: TextFrame) {
    const { before, after, end } = frame
    this.frame = frame
    const first = Buffer.concat([before, quote])
    const second = Buffer.concat([quote, after])
    for (const text of [first, second, ...(end ? [end] : [])]) addWords(this.#words, text)
    this.#afterText = behindWords(this.#words, 0)
    this.isNumbered = end !== undefined
    this.textStart = first.length
    this.size = first.length + second.length + (end ? mostDigits + end.length : 0)
  }

  /** Writes them around a text that stands in its place already. Gives the position behind the frame. */
  write(memory: Memory, start: number, textLength: number, number: number): number {
    const words = this.#words
    const afterText = this.#afterText
    const textEnd = writeWords(memory, start, words, 0) + textLength
    const end = writeWords(memory, textEnd, words, afterText)
    if (!this.isNumbered) return end
    const behind = writeNumber(memory.bytes, end, number)
    return writeWords(memory, behind, words, behindWords(words, afterText))
  }
}
