import { startsWith } from '../../../src/kit/observe.ts'

/** How an unfinished choice says so; some write a blank. */
const unfinished = ['"finish_reason":null', '"finish_reason": null']
/** OpenAI and Mistral pad their chunks, so that their size tells nothing of their text. */
export const paddings = ['obfuscation', 'p']
const paddingStart = new RegExp(`,\\s?"(?:${paddings.join('|')})":\\s?"`)
const quote = 0x22
const nothing: Buffer = Buffer.alloc(0)

/** What stands behind a choice is not compared if it is longer than this without its padding, in bytes. */
const longest = 256

/**
 * How the chunks of a stream end that say no more than a piece of the answer. With one choice, a chunk
 * that ends like another unfinished one is unfinished too. What stands before its choice is not looked
 * at: usage that some tell there all along is told with the last chunk too, without which no stream is
 * a success.
 */
export class OrdinaryChunks {
  #beforePadding = nothing
  /** Empty where chunks have no padding. */
  #afterPadding = nothing

  /** Looks at a chunk that was read. */
  learn(frame: Buffer): void {
    const from = Math.max(...unfinished.map((text) => frame.lastIndexOf(text)))
    if (from < 0) return
    const padding = paddingStart.exec(frame.toString('latin1', from))
    const opened = padding ? from + padding.index + padding[0].length : frame.length
    const before = frame.subarray(from, opened)
    const after = padding ? frame.subarray(frame.indexOf(quote, opened)) : nothing
    if (before.length + after.length > longest) return
    this.#beforePadding = before
    this.#afterPadding = after
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
