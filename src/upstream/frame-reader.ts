import { GatewayError } from '../contract/errors.ts'
import { freeBytes } from '../contract/memory.ts'
import type { FrameJoiner, Framing } from '../contract/framing.ts'

/** Joins the chunks of an account's stream within the limits of a frame's size and of memory. */
export class FrameReader {
  readonly #joiner: FrameJoiner
  readonly #most: number
  readonly #hold: (bytes: number) => void
  /** Bytes of an incomplete frame for which there is memory. */
  #granted = freeBytes

  /**
   * `most`: the longest frame, in bytes. `hold` takes memory for this many bytes of an incomplete frame; 0 gives it
   * back.
   */
  constructor(framing: Pick<Framing, 'join'>, most: number, hold: (bytes: number) => void) {
    this.#joiner = framing.join()
    this.#most = most
    this.#hold = hold
  }

  /** Whether the last bytes are of an incomplete frame. */
  get isInFrame(): boolean {
    return this.#joiner.pendingBytes > 0
  }

  /** See `FrameJoiner.broken`. */
  get broken(): unknown {
    return this.#joiner.broken
  }

  /** See `FrameJoiner.feed`. Throws `GatewayError` for a frame that is too large. */
  feed(chunk: Buffer): Buffer | undefined {
    const frames = this.#joiner.feed(chunk)
    const { pendingBytes } = this.#joiner
    if (!frames && pendingBytes > this.#most) {
      throw new GatewayError('upstream_invalid_reply', 'A frame of the stream is too large.')
    }
    if (pendingBytes > this.#granted) this.#reserve()
    return frames
  }

  /** Gives back the memory of frames that have been observed. */
  release(): void {
    if (this.#granted > freeBytes) this.#reserve()
  }

  /** No frames are read any more. */
  cancel(): void {
    if (this.#granted > freeBytes) this.#hold(0)
    this.#granted = freeBytes
  }

  #reserve(): void {
    const { pendingBytes } = this.#joiner
    this.#granted = Math.max(freeBytes, 2 * pendingBytes)
    this.#hold(pendingBytes > freeBytes ? this.#granted : 0)
  }

  /** See `FrameJoiner.end`. */
  end(): Buffer | undefined {
    return this.#joiner.end()
  }
}
