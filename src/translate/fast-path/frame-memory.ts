import { Chunk, beforeContent, behindContent } from '../../lib/http-chunk.ts'
import { sharedBuffer } from './slab.ts'
import type { Memory } from './words.ts'

const nothing = Buffer.alloc(0)
const nowhere: Memory = { bytes: nothing, view: new DataView(nothing.buffer, 0, 0) }

/**
 * What is being written for one stream, with room around it for the frame of a chunk. The memory is
 * nobody else's between the first byte of a run and the call that takes it.
 */
export class FrameMemory {
  protected memory = nowhere
  #start = 0
  /** Where the next byte is written, once there is room for it. */
  protected end = 0

  get isEmpty(): boolean {
    return this.end === this.#start
  }

  /** What has been written since the last time. */
  take(): Buffer {
    const taken = this.isEmpty ? nothing : this.memory.bytes.subarray(this.#start, this.end)
    this.#letGo(this.end)
    return taken
  }

  /** The same as a chunk, where anything has been written. */
  takeChunk(): Chunk {
    const chunk = new Chunk(this.memory.bytes, this.#start, this.end)
    this.#letGo(this.end + behindContent)
    return chunk
  }

  discard(): void {
    this.#letGo(this.#start - beforeContent)
  }

  #letGo(behind: number): void {
    sharedBuffer.giveBack(this.memory, behind)
    this.memory = nowhere
    this.#start = 0
    this.end = 0
  }

  /** Makes room for so many bytes. */
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
