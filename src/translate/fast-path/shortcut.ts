import type { FrameBytes } from './frame-bytes.ts'
import { FrameWords } from './frame-words.ts'
import type { TextCopier } from './repeated.ts'
import { textOf } from './short-text.ts'

/** So much text waits to be told at most, in bytes: one more for each stream. */
const mostUntold = 1_024
const nothing = Buffer.alloc(0)

/**
 * The shortest way of a text: from a frame of the account that repeats, byte by byte, into the frame
 * of the client that has repeated as well. The decoder and the encoder between them are told of it
 * later and of many texts at once, since nothing else may come of it.
 */
export class Shortcut implements TextCopier {
  readonly #written: FrameBytes
  readonly #tell: (text: string) => void
  /** What the client's frames have in common, known once a text has gone the long way. */
  #frame: FrameWords | undefined
  /** The words of the last frame, which is the same again where a text could not be copied. */
  #last: FrameWords | undefined
  /** Where the text ends of the frame that was looked at last, if it was copied; -1 where it was not. */
  #copiedTo = -1
  #untold = nothing
  #length = 0

  /** `tell` has the text of the last event come again, which writes what it writes. */
  constructor(written: FrameBytes, tell: (text: string) => void) {
    this.#written = written
    this.#tell = tell
  }

  /** Where the text ends that begins here, if it could be copied on the way; -1 where it could not. */
  copy(frames: Buffer, start: number): number {
    const frame = this.#frame
    this.#copiedTo = frame ? this.#written.copyText(frame, frames, start, mostUntold) : -1
    return this.#copiedTo
  }

  /** The last frame came again, with the text that stands at this place. */
  again(frames: Buffer, start: number, end: number): void {
    if (this.#frame && this.#copiedTo === end) return this.#keep(this.#frame, frames, start, end)
    const text = textOf(frames, start, end)
    this.#settle()
    this.#written.watch()
    this.#tell(text)
    const frame = this.#written.onlyFrame(text)
    if (frame && this.#last?.frame !== frame) this.#last = new FrameWords(frame)
    this.#frame = frame && this.#last
  }

  #keep(frame: FrameWords, frames: Buffer, start: number, end: number): void {
    this.#written.keepText(frame, end - start)
    if (this.#length + end - start > this.#untold.length) this.#makeRoom()
    const untold = this.#untold
    let behind = this.#length
    for (let at = start; at < end; at++) untold[behind++] = frames[at] as number
    this.#length = behind
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

  #makeRoom(): void {
    if (this.#untold === nothing) this.#untold = Buffer.allocUnsafeSlow(mostUntold)
    else this.#settle()
  }
}
