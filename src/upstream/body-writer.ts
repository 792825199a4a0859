import type { ServerResponse } from 'node:http'

import { type Chunk, chunkEnd, chunkHead, chunkOf, lastChunk } from '../lib/http-chunk.ts'

/** A larger piece is not copied to stand in one with its frame. */
const mostCopied = 16 * 1024

/**
 * The body of a streamed reply on its connection. `node:http` hands on each piece of a chunked body as
 * four; framed here it is one. What comes in one turn of the event loop still goes out together.
 */
export class BodyWriter {
  readonly #response: ServerResponse
  /** Clients of HTTP/1.0 get a body without frames, as do those that were told its length. */
  readonly #isChunked: boolean

  /** The head is written down by now. `onReady`: the client can take more again. */
  constructor(response: ServerResponse, onReady: () => void) {
    this.#response = response
    this.#isChunked = response.chunkedEncoding
    if (this.#isChunked) response.chunkedEncoding = false
    response.on('drain', onReady)
  }

  /** Returns whether the client can take more. */
  write(bytes: Buffer): boolean {
    const response = this.#response
    if (!this.#isChunked) return response.write(bytes)
    // It would end the body.
    if (bytes.length === 0) return true
    if (bytes.length <= mostCopied) return response.write(chunkOf(bytes))
    response.write(chunkHead(bytes.length))
    response.write(bytes)
    return response.write(chunkEnd)
  }

  /** The same with a piece that stands in a chunk already. */
  writeChunk(chunk: Chunk): boolean {
    return this.#response.write(this.#isChunked ? chunk.bytes : chunk.content)
  }

  end(): void {
    this.#response.end(this.#isChunked ? lastChunk : undefined)
  }

  /** Whether the client has not taken all of it yet. */
  get isWaiting(): boolean {
    return this.#response.writableLength > 0
  }

  destroy(): void {
    this.#response.destroy()
  }
}
