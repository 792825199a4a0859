import type { TextFrame } from '../../contract/codec.ts'
import type { FrameOutput } from '../frame-output.ts'
import type { ClientFrame } from './client-frame.ts'
import { FrameBuffer } from './frame-buffer.ts'
import { copyString, isPlain, maxDigits, quote, writeNumber } from './json-bytes.ts'

/** The longest text that is written character by character: the runtime is faster for longer ones. */
const shortText = 64
/** From this length on the bytes of a text are counted instead of estimated. */
const longText = 1_024
/** The most bytes that are copied one by one: a call of the runtime pays off only for more. */
const maxByHand = 24

/**
 * Writes the client's frames as bytes. Joining strings and encoding them afterwards costs several times
 * as much for the small frames of a stream.
 */
export class FrameWriter extends FrameBuffer implements FrameOutput {
  count = 0
  /** True while the encoder catches up on frames that have been copied already: drops what it writes. */
  isMuted = false
  /** The number of writes since `watch`, and the last text with its frame. */
  #writes = 0
  #frame: TextFrame | undefined
  #text = ''

  write(frames: string | Buffer): void {
    if (this.isMuted) throw new Error('The encoder wrote a repeated text in another frame.')
    this.#writes++
    this.#frame = undefined
    if (typeof frames === 'string') this.#append(frames)
    else this.#copy(frames)
  }

  #copy(frames: Buffer): void {
    this.reserve(frames.length)
    this.memory.bytes.set(frames, this.end)
    this.end += frames.length
  }

  #append(frames: string): void {
    // A UTF-16 code unit takes three bytes at most.
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
   * Copies the content of a JSON string of at most `maxBytes`, which begins at `start`, to where
   * `commitText` completes the frame. Returns the position of its closing quote in the source, or -1 if
   * the string cannot be copied.
   */
  copyText(frame: ClientFrame, source: Buffer, start: number, maxBytes: number): number {
    this.reserve(frame.size + maxBytes)
    return copyString(source, start, maxBytes, this.memory.bytes, this.end + frame.textStart)
  }

  /** Completes the frame of the text that was copied last, which is `length` bytes long. */
  commitText(frame: ClientFrame, length: number): void {
    this.end = frame.write(this.memory, this.end, length, this.count)
    if (frame.isNumbered) this.count++
  }

  /** Starts to record writes for `onlyFrame`. */
  watch(): void {
    this.#writes = 0
  }

  /** The frame of this text, if it is the only write since `watch`. */
  onlyFrame(text: string): TextFrame | undefined {
    return this.#writes === 1 && this.#text === text ? this.#frame : undefined
  }

  #addRest({ after, end }: TextFrame): void {
    this.#add(after)
    if (!end) return
    this.end = writeNumber(this.memory.bytes, this.end, this.count++)
    this.#add(end)
  }

  #add(bytes: Buffer): void {
    const { length } = bytes
    if (length > maxByHand) this.memory.bytes.set(bytes, this.end)
    else for (let at = 0; at < length; at++) this.memory.bytes[this.end + at] = bytes[at] as number
    this.end += length
  }

  /** Adds a text in quotes. Returns false, and adds nothing, if the text needs escapes. */
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

/** The maximum of bytes around a text. */
function sizeAround({ before, after, end }: TextFrame): number {
  return before.length + after.length + (end ? end.length + maxDigits : 0)
}
