import type { TextFrame } from '../../contract/codec.ts'
import { maxDigits, writeNumber } from './json-bytes.ts'
import { type Memory, appendWords, nextText, writeText } from './word-compare.ts'

const quote = Buffer.from('"')

/** A client's frame without its text, quotes included, prepared to be written by words. */
export class ClientFrame {
  readonly frame: TextFrame
  readonly #words: number[] = []
  /** The index of the words after the text. */
  readonly #afterText: number
  /** Whether the frame has a number, which stands between two more texts. */
  readonly isNumbered: boolean
  /** The number of bytes before the text. */
  readonly textStart: number
  /** The maximum length of the frame without its text, in bytes. */
  readonly size: number

  constructor(frame: TextFrame) {
    const { before, after, end } = frame
    this.frame = frame
    const first = Buffer.concat([before, quote])
    const second = Buffer.concat([quote, after])
    for (const text of [first, second, ...(end ? [end] : [])]) appendWords(this.#words, text)
    this.#afterText = nextText(this.#words, 0)
    this.isNumbered = end !== undefined
    this.textStart = first.length
    this.size = first.length + second.length + (end ? maxDigits + end.length : 0)
  }

  /**
   * Writes the frame from `start` on around a text of `textLength` bytes that is already in its place.
   * Returns the position after the frame.
   */
  write(memory: Memory, start: number, textLength: number, number: number): number {
    const words = this.#words
    const afterText = this.#afterText
    const textEnd = writeText(memory, start, words, 0) + textLength
    const end = writeText(memory, textEnd, words, afterText)
    if (!this.isNumbered) return end
    const numberEnd = writeNumber(memory.bytes, end, number)
    return writeText(memory, numberEnd, words, nextText(words, afterText))
  }
}
