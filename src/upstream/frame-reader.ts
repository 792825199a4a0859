import { GatewayError } from '../contract/errors.ts'
import type { FrameJoiner, Framing } from '../contract/framing.ts'
import type { Observer } from '../contract/observer.ts'
import { largeFrameBytes } from '../kit/large-events.ts'
import type { MaybePromise } from '../lib/maybe-promise.ts'

/** Bytes of an incomplete frame, or of a translated stream, that need no memory of their own. */
export const freeBytes = 64 * 1024

/** Joins the chunks of an account's stream within the limits of a frame's size and of memory. */
export class FrameReader {
  readonly #joiner: FrameJoiner
  readonly #most: number
  readonly #hold: (bytes: number) => void
  /** Bytes of an incomplete frame for which there is memory. */
  #granted = freeBytes
  #preparing: AbortController | undefined
  /** Since when events are prepared, and how long those before took, in milliseconds. */
  #preparingSince: number | undefined
  #preparedMs = 0

  /**
   * `most`: the longest frame, in bytes. `hold` takes memory for this many bytes of an incomplete frame; 0 gives it
   * back.
   */
  constructor(framing: Framing, most: number, hold: (bytes: number) => void) {
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

  /**
   * Has an observer parse large events of frames in turns, before it observes them. Never rejects: what cannot be
   * prepared is observed as it is. `undefined`: there is nothing to prepare.
   */
  prepare(frames: Buffer, observer: Observer): Promise<void> | undefined {
    if (frames.length < largeFrameBytes || !observer.prepare) return undefined
    this.#preparing = new AbortController()
    this.#preparingSince = performance.now()
    return observer
      .prepare(frames, this.#preparing.signal)
      .catch(() => {})
      .finally(() => {
        this.#preparedMs = this.preparedMs(performance.now())
        this.#preparingSince = undefined
      })
  }

  /** How long events have been prepared until `now`, the wait of the gateway for itself included. */
  preparedMs(now: number): number {
    const since = this.#preparingSince ?? now
    return this.#preparedMs + now - since
  }

  /** Gives back the memory of frames that have been observed. */
  release(): void {
    if (this.#granted > freeBytes) this.#reserve()
  }

  /** No frames are read any more. */
  cancel(): void {
    this.#preparing?.abort()
    if (this.#granted > freeBytes) this.#hold(0)
    this.#granted = freeBytes
  }

  #reserve(): void {
    const { pendingBytes } = this.#joiner
    this.#granted = Math.max(freeBytes, 2 * pendingBytes)
    this.#hold(pendingBytes > freeBytes ? this.#granted : 0)
  }

  /** See `FrameJoiner.end`. In turns of the event loop for a large frame. */
  end(): MaybePromise<Buffer | undefined> {
    const joiner = this.#joiner
    const isLarge = joiner.pendingBytes >= largeFrameBytes
    return isLarge && joiner.endInTurns ? joiner.endInTurns() : joiner.end()
  }
}
