import { ClientFrame } from './client-frame.ts'
import { decodeText } from './decode-text.ts'
import type { FrameWriter } from './frame-writer.ts'

/** The maximum of text that waits for the decoder and the encoder, in bytes: one buffer per stream. */
const maxPending = 1_024
const nothing = Buffer.alloc(0)

/**
 * Copies a text byte by byte from a repeated frame of the account into a repeated frame of the client.
 * The decoder and the encoder in between get the copied texts later, joined into one, with the output
 * muted: only their state changes.
 */
export class TextCopier {
  readonly #writer: FrameWriter
  readonly #repeat: (text: string) => void
  /** The client's frame for the account's repeated frame, known after a text has been translated. */
  #frame: ClientFrame | undefined
  /** The last client's frame. It is used again if the same frame follows a text that was not copied. */
  #last: ClientFrame | undefined
  /** The end of the text that `copy` was called with last, or -1 if it was not copied. */
  #copiedTo = -1
  /** Copied texts that the decoder and the encoder do not know yet, as content of a JSON string. */
  #pending = nothing
  #length = 0

  /** `repeat` translates a text as a repetition of the last event, and so writes to `writer`. */
  constructor(writer: FrameWriter, repeat: (text: string) => void) {
    this.#writer = writer
    this.#repeat = repeat
  }

  /** Copies the text that begins at `start`. Returns the position of its end, or -1 if it cannot. */
  copy(frames: Buffer, start: number): number {
    const frame = this.#frame
    this.#copiedTo = frame ? this.#writer.copyText(frame, frames, start, maxPending) : -1
    return this.#copiedTo
  }

  /** Translates a repeated frame with this text: commits the copy of the text, if there is one. */
  repeat(frames: Buffer, start: number, end: number): void {
    if (this.#frame && this.#copiedTo === end) return this.#commit(this.#frame, frames, start, end)
    const text = decodeText(frames, start, end)
    this.#replay()
    this.#writer.watch()
    this.#repeat(text)
    const frame = this.#writer.onlyFrame(text)
    if (frame && this.#last?.frame !== frame) this.#last = new ClientFrame(frame)
    this.#frame = frame && this.#last
  }

  #commit(frame: ClientFrame, frames: Buffer, start: number, end: number): void {
    this.#writer.commitText(frame, end - start)
    if (this.#length + end - start > this.#pending.length) this.#makeSpace()
    const pending = this.#pending
    let length = this.#length
    for (let at = start; at < end; at++) pending[length++] = frames[at] as number
    this.#length = length
  }

  /** Brings the decoder and the encoder up to date and stops copying: another frame comes. */
  stop(): void {
    this.#replay()
    this.#frame = undefined
  }

  #replay(): void {
    if (this.#length === 0) return
    const text = decodeText(this.#pending, 0, this.#length)
    this.#length = 0
    this.#writer.isMuted = true
    try {
      this.#repeat(text)
    } finally {
      this.#writer.isMuted = false
    }
  }

  #makeSpace(): void {
    if (this.#pending === nothing) this.#pending = Buffer.allocUnsafeSlow(maxPending)
    else this.#replay()
  }
}
