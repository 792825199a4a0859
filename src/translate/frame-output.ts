import type { FrameSink, TextFrame } from '../contract/codec.ts'
import { Chunk, beforeContent, behindContent } from '../lib/http-chunk.ts'

/** Collects the frames that an encoder writes for a client. */
export interface FrameOutput extends FrameSink {
  readonly isEmpty: boolean
  /** Whether the encoder catches up on frames that have been written already. */
  readonly isMuted: boolean
  /** The bytes since the last call of `take`, `takeChunk` or `discard`. */
  take(): Buffer
  /** The same bytes as an HTTP chunk. There must be some: an empty chunk ends a body. */
  takeChunk(): Chunk
  discard(): void
}

/** Joins frames: the reference for the output of the fast path. */
export class JoinedOutput implements FrameOutput {
  count = 0
  readonly isMuted = false
  #frames: Buffer[] = []

  get isEmpty(): boolean {
    return this.#frames.length === 0
  }

  write(frames: string | Buffer): void {
    if (frames.length > 0)
      this.#frames.push(typeof frames === 'string' ? Buffer.from(frames) : frames)
  }

  writeText({ before, after, end }: TextFrame, text: string): void {
    const number = end ? `${this.count++}${end.toString()}` : ''
    this.write(`${before.toString()}${JSON.stringify(text)}${after.toString()}${number}`)
  }

  take(): Buffer {
    const bytes = Buffer.concat(this.#frames)
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
    this.#frames = []
  }
}
