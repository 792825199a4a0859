import { Chunk, beforeContent, behindContent } from '../../lib/http-chunk.ts'
import { sharedBuffer } from './shared-buffer.ts'
import type { Memory } from './word-compare.ts'

const nothing = Buffer.alloc(0)
const noMemory: Memory = { bytes: nothing, view: new DataView(nothing.buffer, 0, 0) }

/**
 * Collects the bytes for one client, with space around them for the head and the end of an HTTP chunk.
 * It borrows memory from the shared buffer from the first byte until the bytes are taken.
 */
export class FrameBuffer {
  protected memory = noMemory
  #start = 0
  /** The position of the next byte, once `reserve` has made space for it. */
  protected end = 0

  get isEmpty(): boolean {
    return this.end === this.#start
  }

  /** The bytes since the last call of `take`, `takeChunk` or `discard`. */
  take(): Buffer {
    const taken = this.isEmpty ? nothing : this.memory.bytes.subarray(this.#start, this.end)
    this.#release(this.end)
    return taken
  }

  /** The same bytes as an HTTP chunk. There must be some: an empty chunk ends a body. */
  takeChunk(): Chunk {
    const chunk = new Chunk(this.memory.bytes, this.#start, this.end)
    this.#release(this.end + behindContent)
    return chunk
  }

  discard(): void {
    this.#release(this.#start - beforeContent)
  }

  /** Returns the memory, of which the bytes before `used` are in use. */
  #release(used: number): void {
    sharedBuffer.giveBack(this.memory, used)
    this.memory = noMemory
    this.#start = 0
    this.end = 0
  }

  /** Makes space for `more` bytes after `end`. */
  protected reserve(more: number): void {
    if (this.end + more + behindContent > this.memory.bytes.length) this.#move(more)
  }

  #move(more: number): void {
    const length = this.end - this.#start
    const memory = sharedBuffer.take(beforeContent + length * 2 + more + behindContent)
    const start = sharedBuffer.at + beforeContent
    if (length > 0) this.memory.bytes.copy(memory.bytes, start, this.#start, this.end)
    this.memory = memory
    this.#start = start
    this.end = start + length
  }
}
