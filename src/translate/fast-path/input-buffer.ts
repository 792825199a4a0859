import { newline } from './json-bytes.ts'
import type { Memory } from './word-compare.ts'

/** The longest input, in bytes: twice the size of one read from a socket. */
const maxBytes = 128 * 1024

/**
 * The frames that are being read, copied into one buffer for all streams: it stays in the processor's
 * cache, and a `DataView` for each input would cost as much as the comparison by words saves.
 */
class InputBuffer implements Memory {
  /** A line feed, which no JSON string contains, follows the input; after it stand older bytes. */
  readonly bytes = Buffer.alloc(maxBytes + 1)
  readonly view = new DataView(this.bytes.buffer)
  /** The length of the input, in bytes. */
  length = 0

  /** Replaces the input. Returns false, and changes nothing, if the frames are too long. */
  load(frames: Buffer): boolean {
    if (frames.length > maxBytes) return false
    this.bytes.set(frames)
    this.bytes[frames.length] = newline
    this.length = frames.length
    return true
  }
}

/** One for the process: a run of frames is read synchronously from its first byte to its last. */
export const inputBuffer = new InputBuffer()
