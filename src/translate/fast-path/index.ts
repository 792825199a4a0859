/**
 * The fast path of translated streams: most frames of a stream repeat the previous one with another
 * text, and their text is copied from the account's frame into the client's frame as bytes
 * (docs/fast-path.md). This file is its only entry.
 */

import type { RepeatedEvents, RepeatedReading } from '../../contract/codec.ts'
import type { JsonObject } from '../../lib/json/object.ts'
import { decodeText } from './decode-text.ts'
import type { FrameWriter } from './frame-writer.ts'
import { RepeatedFrames } from './repeated-frames.ts'
import { TextCopier } from './text-copier.ts'

export { FrameWriter } from './frame-writer.ts'

/** Reads the repeated frames of one stream in place of its decoder. */
export class FastPath {
  readonly #decoder: RepeatedReading
  readonly #repeated: RepeatedFrames
  readonly #copier: TextCopier | undefined

  /**
   * `writer` is the output of the stream's encoder. Without it each text goes through the decoder and
   * the encoder, as a stream needs whose events pass through mappers.
   */
  constructor(events: RepeatedEvents, decoder: RepeatedReading, writer: FrameWriter | undefined) {
    this.#decoder = decoder
    this.#repeated = new RepeatedFrames(events)
    this.#copier = writer && new TextCopier(writer, (text) => decoder.repeat(text))
  }

  /** The end of the frame at `at` if it repeats the previous frame; otherwise `at`. */
  find(frames: Buffer, at: number): number {
    return this.#repeated.find(frames, at, this.#copier)
  }

  /** Translates the frame that `find` has found. */
  translate(frames: Buffer): void {
    const { start, end } = this.#repeated
    if (this.#copier) this.#copier.repeat(frames, start, end)
    else this.#decoder.repeat(decodeText(frames, start, end))
  }

  /** Makes frames like this one known, after the decoder has read its event. */
  learn(frame: string, event: JsonObject): void {
    this.#repeated.learn(frame, event)
  }

  /** Brings the decoder up to date with the frames found. Call it before the decoder reads on. */
  flush(): void {
    this.flushText()
    const last = this.#repeated.takeLastEvent()
    if (last) this.#decoder.readCumulative?.(last)
  }

  /** Like `flush`, without the cumulative values. */
  flushText(): void {
    this.#copier?.stop()
  }
}
