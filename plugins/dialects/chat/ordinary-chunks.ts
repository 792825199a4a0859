import { startsWith } from '../../../src/lib/starts-with.ts'

/** The marks of an unfinished choice; some upstreams write a blank. */
const unfinished = ['"finish_reason":null', '"finish_reason": null']
/** Members with which OpenAI and Mistral pad their chunks, so that the size does not reveal the text. */
const paddings = ['obfuscation', 'p']
const paddingStart = new RegExp(`,\\s?"(?:${paddings.join('|')})":\\s?"`)
const quote = 0x22
const nothing: Buffer = Buffer.alloc(0)

/** Longer ends are not compared. In bytes, without the padding. */
const maxLength = 256

/**
 * Recognises ordinary chunks, which carry only text, by their last bytes. With one choice, a chunk that
 * ends like another unfinished chunk is unfinished too. The bytes before the choice need no comparison:
 * upstreams that send usage there in every chunk send it in the last chunk too, and a stream without
 * its last chunk is never a success.
 */
export class OrdinaryChunks {
  #beforePadding = nothing
  /** Empty if chunks have no padding. */
  #afterPadding = nothing

  /** Learns the end of ordinary chunks from a parsed chunk. */
  learn(frame: Buffer): void {
    const from = Math.max(...unfinished.map((text) => frame.lastIndexOf(text)))
    if (from < 0) return
    const padding = paddingStart.exec(frame.toString('latin1', from))
    const opened = padding ? from + padding.index + padding[0].length : frame.length
    const before = frame.subarray(from, opened)
    const after = padding ? frame.subarray(frame.indexOf(quote, opened)) : nothing
    if (before.length + after.length > maxLength) return
    this.#beforePadding = before
    this.#afterPadding = after
  }

  /** Whether the frame from `start` to `end` is an ordinary chunk, by its last bytes. */
  includes(frames: Buffer, start: number, end: number): boolean {
    const before = this.#beforePadding
    const at = this.#paddingStart(frames, start, end) - before.length
    return before.length > 0 && at >= start && startsWith(frames, at, before)
  }

  /** Returns the offset of the padding, or the frame's end without padding, or -1 if the end differs. */
  #paddingStart(frames: Buffer, start: number, end: number): number {
    const after = this.#afterPadding
    if (after.length === 0) return end
    let at = end - after.length
    if (at < start || !startsWith(frames, at, after)) return -1
    while (at > start && frames[at - 1] !== quote) at--
    return at
  }
}
