import type { FrameSink, TextFrame } from '../codec.ts'
import { isPlain, mostDigits, quote, writeNumber } from './plain-bytes.ts'
import { slab } from './slab.ts'
import { copyString } from './string-bytes.ts'

/** A longer text goes through the runtime, which is faster then. */
const shortText = 64
/** A text whose bytes are counted rather than guessed. */
const longText = 1_024
const mostByHand = 24
const nothing = Buffer.alloc(0)

/**
 * Collects what a stream's client gets, as bytes from the beginning: putting strings together and
 * encoding them costs several times as much for the small frames that streams consist of.
 */
export class FrameBytes implements FrameSink {
  /** Memory that is nobody else's between the first frame of a run and `take`. */
  #bytes: Buffer = nothing
  #start = 0
  #end = 0
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
    this.#reserve(frames.length > longText ? Buffer.byteLength(frames) : frames.length * 3)
    this.#end += this.#bytes.write(frames, this.#end)
  }

  writeText(frame: TextFrame, text: string): void {
    if (this.isMuted) return
    this.#writes++
    this.#frame = frame
    this.#text = text
    const around = sizeAround(frame)
    this.#reserve(around + shortText + 2)
    this.#add(frame.before)
    if (text.length > shortText || !this.#addPlain(text)) {
      this.#append(JSON.stringify(text))
      this.#reserve(around)
    }
    this.#addRest(frame)
  }

  /**
   * The same of a text that is a string of JSON in these bytes, without its quotes. Returns whether it
   * could be copied; otherwise nothing is written.
   */
  copyText(frame: TextFrame, source: Buffer, start: number, end: number): boolean {
    const { before } = frame
    this.#reserve(sizeAround(frame) + end - start + 2)
    const bytes = this.#bytes
    const opening = this.#end + before.length
    const closing = copyString(source, start, end, bytes, opening + 1)
    if (closing < 0) return false
    this.#add(before)
    bytes[opening] = quote
    bytes[closing] = quote
    this.#end = closing + 1
    this.#addRest(frame)
    return true
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
    this.#end = writeNumber(this.#bytes, this.#end, this.count++)
    this.#add(end)
  }

  /** What has been written since the last time. */
  take(): Buffer {
    const isEmpty = this.#end === this.#start
    const taken = isEmpty ? nothing : this.#bytes.subarray(this.#start, this.#end)
    this.#letGo(this.#end)
    return taken
  }

  discard(): void {
    this.#letGo(this.#start)
  }

  #letGo(behind: number): void {
    slab.giveBack(this.#bytes, behind)
    this.#bytes = nothing
    this.#start = 0
    this.#end = 0
  }

  #reserve(more: number): void {
    const needed = this.#end + more
    if (needed <= this.#bytes.length) return
    const before = this.#bytes
    const length = this.#end - this.#start
    const bytes = slab.take(length * 2 + more)
    const { at } = slab
    if (length > 0) before.copy(bytes, at, this.#start, this.#end)
    this.#bytes = bytes
    this.#start = at
    this.#end = at + length
  }

  /** The runtime takes long to begin, which does not pay for a few bytes. */
  #add(bytes: Buffer): void {
    const { length } = bytes
    if (length > mostByHand) this.#bytes.set(bytes, this.#end)
    else for (let at = 0; at < length; at++) this.#bytes[this.#end + at] = bytes[at] as number
    this.#end += length
  }

  /** Adds a text in quotes that needs no escapes; one that does is left to the caller. */
  #addPlain(text: string): boolean {
    const bytes = this.#bytes
    let at = this.#end
    bytes[at++] = quote
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index)
      if (!isPlain(code)) return false
      bytes[at++] = code
    }
    bytes[at++] = quote
    this.#end = at
    return true
  }
}

/** The most bytes that stand around a text. */
function sizeAround({ before, after, end }: TextFrame): number {
  return before.length + after.length + (end ? end.length + mostDigits : 0)
}
