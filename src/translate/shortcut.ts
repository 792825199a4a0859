import type { TextFrame } from '../codec.ts'
import type { FrameBytes } from './frame-bytes.ts'
import { textOf } from './short-text.ts'

/** So much text waits to be told at most, in bytes: one more for each stream. */
const mostUntold = 1_024
const nothing = Buffer.alloc(0)

/**
 * The shortest way of a text: from a frame of the account that repeats, byte by byte, into the frame
 * of the client that has repeated as well. The decoder and the encoder between them are told of it
 * later and of many texts at once, since nothing else may come of it.
 */
export class Shortcut {
  readonly #written: FrameBytes
  readonly #tell: (text: string) => void
  /** What the client's frames have in common, known once a text has gone the long way. */
  #frame: TextFrame | undefined
  #untold = nothing
  #length = 0

  /** `tell` has the text of the last event come again, which writes what it writes. */
  constructor(written: FrameBytes, tell: (text: string) => void) {
    this.#written = written
    this.#tell = tell
  }

  /** The last frame came again, with the text that stands at this place. */
  again(frames: Buffer, start: number, end: number): void {
    if (this.#frame && this.#copy(this.#frame, frames, start, end)) return
    const text = textOf(frames, start, end)
    this.#settle()
    this.#written.watch()
    this.#tell(text)
    this.#frame = this.#written.onlyFrame(text)
  }

  /** Another frame comes. */
  leave(): void {
    this.#settle()
    this.#frame = undefined
  }

  /** Tells what has not been told. */
  #settle(): void {
    if (this.#length === 0) return
    const text = textOf(this.#untold, 0, this.#length)
    this.#length = 0
    this.#written.isMuted = true
    try {
      this.#tell(text)
    } finally {
      this.#written.isMuted = false
    }
  }

  #copy(frame: TextFrame, frames: Buffer, start: number, end: number): boolean {
    const length = end - start
    if (length > mostUntold || !this.#written.copyText(frame, frames, start, end)) return false
    if (this.#length + length > this.#untold.length) this.#makeRoom()
    const untold = this.#untold
    let behind = this.#length
    for (let at = start; at < end; at++) untold[behind++] = frames[at] as number
    this.#length = behind
    return true
  }

  #makeRoom(): void {
    if (this.#untold === nothing) this.#untold = Buffer.allocUnsafeSlow(mostUntold)
    else this.#settle()
  }
}
