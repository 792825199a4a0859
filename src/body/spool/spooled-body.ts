import type { Readable } from 'node:stream'

import { ByteList } from '../../lib/byte-list.ts'
import { spoolFull, spoolUnavailable } from './errors.ts'
import { type Segment, SegmentStream } from './segment-stream.ts'
import { SpoolFile } from './spool-file.ts'

/** A body of up to this size, in bytes, stays in memory; a larger one goes to disk as a whole. */
export const maxMemoryBytes = 1024 * 1024

/** The bytes that may wait for the disk before `write` asks its caller to wait. */
const maxQueuedBytes = 256 * 1024

/** The directory of a body's file, and the disk space of its API key. */
interface SpoolBudget {
  readonly directory: string
  /**
   * Reserves space for more bytes of a body that then has `whole` bytes. Throws `GatewayError` 503 or
   * 429 if the space is used up, 413 if such a body would never fit.
   */
  reserve(bytes: number, whole: number): void
  /** Releases reserved space. */
  release(bytes: number): void
}

/** A request body: written once, sequentially, then read at any position and any number of times. */
export class SpooledBody implements Disposable {
  readonly #budget: SpoolBudget
  /** The whole body while it is small; empty once it is on disk. */
  readonly #memory = new ByteList()
  #whole: Buffer | undefined
  readonly #queue = new ByteList()
  /** The bytes of the queue and of the chunks that are being written. */
  #queuedBytes = 0
  #written = 0
  #size = 0
  #reservedBytes = 0
  #file: SpoolFile | undefined
  /** Never rejects: errors go to `#failure`. */
  #flushing: Promise<void> | undefined
  #failure: Error | undefined
  #isReleased = false

  constructor(budget: SpoolBudget) {
    this.#budget = budget
  }

  get size(): number {
    return this.#size
  }

  /**
   * Adds a chunk. Returns a promise if the disk is behind; the caller should wait for it. Throws or
   * rejects with `GatewayError` 503 or 429 if the spool is full, 413 if the body would never fit.
   */
  write(chunk: Buffer): Promise<void> | undefined {
    this.#assertUsable()
    this.#size += chunk.length
    if (this.#size <= maxMemoryBytes) {
      this.#memory.add(chunk)
      return undefined
    }
    this.#reserve(this.#memory.size + chunk.length)
    for (const earlier of this.#memory.takeChunks()) this.#queue.add(earlier)
    this.#queue.add(chunk)
    this.#flushing ??= this.#flush()
    if (this.#queuedBytes <= maxQueuedBytes) return undefined
    return this.#flushed()
  }

  /** Resolves when all chunks can be read. */
  async finish(): Promise<void> {
    await this.#flushed()
    if (!this.#file) this.#whole ??= this.#memory.take()
  }

  /** Reads a range into memory. Rejects with `GatewayError` 503 if the disk fails. */
  async read(start: number, end: number): Promise<Buffer> {
    this.#assertUsable()
    const last = Math.min(end, this.#size)
    if (last <= start) return Buffer.alloc(0)
    if (this.#file) return this.#file.read(start, last).catch(unreadable)
    return (this.#whole as Buffer).subarray(start, last)
  }

  /** Streams segments one after another: ranges of the body, and literal bytes between them. */
  stream(segments: readonly Segment[]): Readable {
    return new SegmentStream(this, segments)
  }

  /** Releases the space. Streams that still read the body end with an error. */
  [Symbol.dispose](): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.#memory.clear()
    this.#whole = undefined
    this.#queue.clear()
    void this.#close()
  }

  #reserve(bytes: number): void {
    this.#budget.reserve(bytes, this.#reservedBytes + bytes)
    this.#reservedBytes += bytes
    this.#queuedBytes += bytes
  }

  async #flushed(): Promise<void> {
    await this.#flushing
    this.#assertUsable()
  }

  async #flush(): Promise<void> {
    try {
      this.#file ??= await SpoolFile.create(this.#budget.directory)
      while (this.#queue.size > 0) {
        const bytes = this.#queue.size
        const chunks = this.#queue.takeChunks()
        await this.#file.write(chunks, this.#written)
        this.#written += bytes
        this.#queuedBytes -= bytes
      }
    } catch (error) {
      this.#failure = isFull(error) ? spoolFull(error) : spoolUnavailable(error)
    }
    this.#flushing = undefined
  }

  /** Releases the reservation only once the disk has freed the space. */
  async #close(): Promise<void> {
    await this.#flushing
    await this.#file?.close().catch(() => {})
    this.#budget.release(this.#reservedBytes)
  }

  #assertUsable(): void {
    if (this.#failure) throw this.#failure
    if (this.#isReleased) throw new Error('The exchange has ended and its body was deleted.')
  }
}

function unreadable(cause: unknown): never {
  throw spoolUnavailable(cause)
}

const full = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EMFILE', 'ENFILE'])

/**
 * Whether the disk, the user's quota or the system's size of a file is exhausted, or no more files can be
 * opened.
 */
export function isFull(error: unknown): boolean {
  return full.has((error as NodeJS.ErrnoException).code ?? '')
}
