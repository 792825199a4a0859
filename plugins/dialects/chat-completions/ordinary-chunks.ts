import { startsWith } from '../../../src/observe.ts'

const unfinished = Buffer.from('"finish_reason":null')
/** OpenAI pads its chunks, so that their size tells nothing of their text. */
const padding = Buffer.from(',"obfuscation":"')
const quote = 0x22
const nothing: Buffer = Buffer.alloc(0)

/** What stands behind a choice is not compared if it is longer than this, in bytes. */
const longest = 256

/**
 * How the chunks of a stream end that say no more than a piece of the answer. With one choice, a chunk
 * that ends like another unfinished one is unfinished too. What stands before its choice is not looked
 * at: nobody is known to tell of an error or of usage there, and without its last chunk no stream is
 * a success.
 */
export class OrdinaryChunks {
  #beforePadding = nothing
  /** Empty where chunks have no padding. */
  #afterPadding = nothing

  /** Looks at a chunk that was read. */
  learn(frame: Buffer): void {
    const from = frame.lastIndexOf(unfinished)
    if (from < 0 || frame.length - from > longest) return
    const at = frame.indexOf(padding, from)
    const opened = at < 0 ? frame.length : at + padding.length
    this.#beforePadding = frame.subarray(from, opened)
    this.#afterPadding = at < 0 ? nothing : frame.subarray(frame.indexOf(quote, opened))
  }

  /** Whether a frame is one of them, by its end alone. */
  includes(frames: Buffer, start: number, end: number): boolean {
    const before = this.#beforePadding
    const at = this.#paddingStart(frames, start, end) - before.length
    return before.length > 0 && at >= start && startsWith(frames, at, before)
  }

  /** Where the padding begins: at the end of a frame without it. Before `start` where it cannot. */
  #paddingStart(frames: Buffer, start: number, end: number): number {
    const after = this.#afterPadding
    if (after.length === 0) return end
    let at = end - after.length
    if (at < start || !startsWith(frames, at, after)) return -1
    while (at > start && frames[at - 1] !== quote) at--
    return at
  }
}
