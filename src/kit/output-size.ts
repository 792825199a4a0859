import type { Framing } from '../contract/framing.ts'
import { isObject } from '../lib/json/object.ts'
import { textBytesIn, tokensOfText } from './estimate.ts'
import { eventJson } from './event-json.ts'

/** The largest frame that is kept, in bytes, and what a larger one has besides its text. */
const mostKept = 16_384
const usualOverhead = 256

/**
 * The size of the output of a native stream, for an estimate of its tokens. Most frames pass undecoded: their texts
 * are what they have beyond the first of them, whose text is read if the estimate is needed.
 */
export class OutputSize {
  readonly #framing: Framing
  /** The frames that have passed undecoded. */
  frames = 0
  #frameBytes = 0
  #first: Buffer | undefined
  #events = 0
  #textBytes = 0

  constructor(framing: Framing) {
    this.#framing = framing
  }

  /** Adds the bytes of frames that pass undecoded. */
  addFrames(frames: Buffer, start: number, end: number): void {
    this.#frameBytes += end - start
    if (this.#first) return
    const first = this.#framing.frameEnd(frames, start)
    this.#first = first - start > mostKept ? nothing : Buffer.from(frames.subarray(start, first))
  }

  /** Adds a decoded event with output. Events of Responses that end a part repeat its text. */
  addEvent(json: Readonly<Record<string, unknown>> | undefined): void {
    if (typeof json?.['type'] === 'string' && json['type'].endsWith('.done')) return
    this.#events++
    this.#textBytes += textBytesIn(json)
  }

  /** An estimate of the tokens so far: one for each frame at least. */
  get tokens(): number {
    const texts = this.#frameBytes - this.frames * this.#overhead
    return Math.max(this.frames + this.#events, tokensOfText(this.#textBytes + Math.max(0, texts)))
  }

  get #overhead(): number {
    const { length } = this.#first ?? nothing
    const { data } = length > 0 ? this.#framing.parse(this.#first!) : {}
    const json = data === undefined ? undefined : eventJson(data)
    return isObject(json) ? length - textBytesIn(json) : usualOverhead
  }
}

const nothing: Buffer = Buffer.alloc(0)
