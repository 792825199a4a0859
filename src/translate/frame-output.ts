import type { FrameSink, TextFrame } from '../contract/codec.ts'
import { Chunk, beforeContent, behindContent } from '../lib/http-chunk.ts'

/** Collects the frames that an encoder writes for a client. */
export interface FrameOutput extends FrameSink {
  readonly isEmpty: boolean
  /** The bytes since the last call of `take`, `takeChunk` or `discard`. */
  take(): Buffer
  /** The same bytes as an HTTP chunk. There must be some: an empty chunk ends a body. */
  takeChunk(): Chunk
  discard(): void
}

/** Joins frames as strings: the reference for the output of the fast path. */
export class StringOutput implements FrameOutput {
  count = 0
  #frames = ''

  get isEmpty(): boolean {
    return this.#frames === ''
  }

  write(frames: string): void {
    this.#frames += frames
  }

  writeText({ before, after, end }: TextFrame, text: string): void {
    const number = end ? `${this.count++}${end.toString()}` : ''
    this.#frames += `${before.toString()}${JSON.stringify(text)}${after.toString()}${number}`
  }

  take(): Buffer {
    const bytes = Buffer.from(this.#frames)
    this.discard()
    return bytes
  }

  takeChunk(): Chunk {
    const bytes = this.take()
    const memory = Buffer.alloc(beforeContent + bytes.length + behindContent)
    memory.set(bytes, beforeContent)
    return new Chunk(memory, beforeContent, beforeContent + bytes.length)
  }

  discard(): void {
    this.#frames = ''
  }
}
