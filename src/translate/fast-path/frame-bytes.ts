import type { FrameSink, TextFrame } from '../../contract/codec.ts'
import { FrameMemory } from './frame-memory.ts'
import type { FrameWords } from './frame-words.ts'
import { copyString, isPlain, mostDigits, quote, writeNumber } from './bytes.ts'

/** A longer text goes through the runtime, which is faster then. */
const shortText = 64
/** A text whose bytes are counted rather than guessed. */
const longText = 1_024
const mostByHand = 24

/**
 * Collects what a stream's client gets, as bytes from the beginning: putting strings together and
 * encoding them costs several times as much for the small frames that streams consist of.
 */
export class FrameBytes extends FrameMemory implements FrameSink {
  count = 0
  /** What is written now has been written before. */
  isMuted = false
  /** Since `watch`: how often something was written, and the last text with its frame. */
  #writes = 0
  #frame: TextFrame | undefined
  #text = ''

  write(frames: string): void {
    if (this.isMuted) throw new Error('Texts that follow each other are written in other ways.')
    this.#writes++
    this.#frame = undefined
    this.#append(frames)
  }

  #append(frames: string): void {
    // Three bytes a character are the most.
    this.reserve(frames.length > longText ? Buffer.byteLength(frames) : frames.length * 3)
    this.end += this.memory.bytes.write(frames, this.end)
  }

  writeText(frame: TextFrame, text: string): void {
    if (this.isMuted) return
    this.#writes++
    this.#frame = frame
    this.#text = text
    const around = sizeAround(frame)
    this.reserve(around + shortText + 2)
    this.#add(frame.before)
    if (text.length > shortText || !this.#addPlain(text)) {
      this.#append(JSON.stringify(text))
      this.reserve(around)
    }
    this.#addRest(frame)
  }

  /**
   * Copies a string of JSON of at most so many bytes, which begins here behind its quote, to where
   * `keepText` makes it a frame. Gives the position of its closing quote in the source, or -1 where it
   * cannot be copied.
   */
  copyText(frame: FrameWords, source: Buffer, start: number, most: number): number {
    this.reserve(frame.size + most)
    return copyString(source, start, most, this.memory.bytes, this.end + frame.textStart)
  }

  /** The text that was copied last, of so many bytes, in its frame. */
  keepText(frame: FrameWords, length: number): void {
    this.end = frame.write(this.memory, this.end, length, this.count)
    if (frame.isNumbered) this.count++
  }

  /** What is written from now on is asked for by `onlyFrame`. */
  watch(): void {
    this.#writes = 0
  }

  /** The frame of this text, if it is all that was written since `watch`. */
  onlyFrame(text: string): TextFrame | undefined {
    return this.#writes === 1 && this.#text === text ? this.#frame : undefined
  }

  #addRest({ after, end }: TextFrame): void {
    this.#add(after)
    if (!end) return
    this.end = writeNumber(this.memory.bytes, this.end, this.count++)
    this.#add(end)
  }

  /** The runtime takes long to begin, which does not pay for a few bytes. */
  #add(bytes: Buffer): void {
    const { length } = bytes
    if (length > mostByHand) this.memory.bytes.set(bytes, this.end)
    else for (let at = 0; at < length; at++) this.memory.bytes[this.end + at] = bytes[at] as number
    this.end += length
  }

  /** Adds a text in quotes that needs no escapes; one that does is left to the caller. */
  #addPlain(text: string): boolean {
    const bytes = this.memory.bytes
    let at = this.end
    bytes[at++] = quote
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index)
      if (!isPlain(code)) return false
      bytes[at++] = code
    }
    bytes[at++] = quote
    this.end = at
    return true
  }
}

/** The most bytes that stand around a text. */
function sizeAround({ before, after, end }: TextFrame): number {
  return before.length + after.length + (end ? end.length + mostDigits : 0)
}
