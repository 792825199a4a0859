import type { ServerResponse } from 'node:http'

import { atEndOfTurn } from '../lib/end-of-turn.ts'
import { chunkEnd, chunkHead, chunkOf, lastChunk } from '../lib/http-chunk.ts'

/** Pieces up to this size, in bytes, are copied into one buffer with their chunk frame. */
const maxCopiedBytes = 16 * 1024

/**
 * Writes the body of a streamed reply to the client's connection. `node:http` writes each piece of a
 * chunked body as four buffers; framing the piece here makes it one. The pieces of one turn of the event loop
 * go out at its end, together with those of other replies: see `atEndOfTurn`.
 */
export class BodyWriter {
  readonly #response: ServerResponse
  /** False for HTTP/1.0 clients and for replies with a `content-length`. */
  readonly #isChunked: boolean
  /** Whether pieces wait for the end of the turn. */
  #isHeld = false

  /** The reply's head must already be written. Calls `onReady` when the client can take more. */
  constructor(response: ServerResponse, onReady: () => void) {
    this.#response = response
    this.#isChunked = response.chunkedEncoding
    if (this.#isChunked) response.chunkedEncoding = false
    response.on('drain', onReady)
  }

  /** Returns whether the client can take more. */
  write(bytes: Buffer): boolean {
    const response = this.#response
    this.#hold()
    if (!this.#isChunked) return response.write(bytes)
    // An empty chunk would end the body.
    if (bytes.length === 0) return true
    if (bytes.length <= maxCopiedBytes) return response.write(chunkOf(bytes))
    response.write(chunkHead(bytes.length))
    response.write(bytes)
    return response.write(chunkEnd)
  }

  end(): void {
    this.#response.end(this.#isChunked ? lastChunk : undefined)
  }

  /** Whether bytes wait for the client. */
  get isWaiting(): boolean {
    return this.#response.writableLength > 0
  }

  destroy(): void {
    this.#response.destroy()
  }

  /** Holds what is written until the end of the turn. The end of the reply goes out at once, with all before it. */
  #hold(): void {
    if (this.#isHeld) return
    this.#isHeld = true
    this.#response.cork()
    atEndOfTurn(this.#release)
  }

  readonly #release = () => {
    this.#isHeld = false
    // The connection may serve the next request already.
    if (!this.#response.writableEnded) this.#response.uncork()
  }
}
