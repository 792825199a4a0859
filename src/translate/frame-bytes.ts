import type { FrameSink, TextFrame } from '../codec.ts'

const firstSize = 512
/** What a stream keeps for its next frames; a larger run was an exception. */
const mostKept = 64 * 1024
/** A longer text goes through the runtime, which is faster then. */
const shortText = 64

/**
 * Collects what a stream's client gets, as bytes from the beginning: putting strings together and
 * encoding them costs several times as much for the small frames that streams consist of.
 */
export class FrameBytes implements FrameSink {
  #bytes = Buffer.allocUnsafeSlow(firstSize)
  #length = 0

  write(frames: string): void {
    // Three bytes a character are the most; a long text is measured.
    this.#reserve(frames.length > firstSize ? Buffer.byteLength(frames) : frames.length * 3)
    this.#length += this.#bytes.write(frames, this.#length)
  }

  writeText({ before, after, end }: TextFrame, text: string, number = 0): void {
    const least = before.length + after.length + (end?.length ?? 0)
    this.#reserve(least + Math.min(text.length, shortText) + 32)
    this.#add(before)
    if (text.length > shortText || !this.#addPlain(text)) this.write(JSON.stringify(text))
    this.#reserve(after.length + (end?.length ?? 0) + 32)
    this.#add(after)
    if (!end) return
    this.#addNumber(number)
    this.#add(end)
  }

  /** What has been written since the last time. */
  take(): Buffer {
    const taken = Buffer.allocUnsafe(this.#length)
    this.#bytes.copy(taken, 0, 0, this.#length)
    this.#length = 0
    if (this.#bytes.length > mostKept) this.#bytes = Buffer.allocUnsafeSlow(firstSize)
    return taken
  }

  discard(): void {
    this.#length = 0
  }

  #reserve(more: number): void {
    const needed = this.#length + more
    if (needed <= this.#bytes.length) return
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2))
    this.#bytes.copy(grown, 0, 0, this.#length)
    this.#bytes = grown
  }

  #add(bytes: Buffer): void {
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** Adds a text in quotes that needs no escapes; one that does is left to the caller. */
  #addPlain(text: string): boolean {
    const bytes = this.#bytes
    let at = this.#length
    bytes[at++] = quote
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index)
      if (code < space || code > tilde || code === quote || code === backslash) return false
      bytes[at++] = code
    }
    bytes[at++] = quote
    this.#length = at
    return true
  }

  #addNumber(number: number): void {
    const digits = String(number)
    for (let index = 0; index < digits.length; index++) {
      this.#bytes[this.#length++] = digits.charCodeAt(index)
    }
  }
}

const space = 0x20
const quote = 0x22
const backslash = 0x5c
const tilde = 0x7e
