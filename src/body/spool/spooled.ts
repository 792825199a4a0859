import type { Readable } from 'node:stream'

import { spoolFull, spoolUnavailable } from './errors.ts'
import { type Segment, SegmentStream } from './segment-stream.ts'
import { SpoolFile } from './spool-file.ts'

/** A body is kept in memory up to this size, and on disk as a whole when it grows larger. */
export const memoryBytes = 1024 * 1024

/** So much may wait for the disk before its writer is asked to wait. */
const waitingBytes = 256 * 1024

/** The directory and the disk space that bodies share. */
export interface SpoolBudget {
  readonly directory: string
  /**
   * Takes space for more bytes of a body that has `whole` bytes by then. Throws `GatewayError` 503
   * where the space is used up, 413 where such a body would never fit.
   */
  take(bytes: number, whole: number): void
  /** Returns space. */
  give(bytes: number): void
}

/** One body: written once, from its beginning to its end, then read wherever and as often as wanted. */
export class Spooled implements Disposable {
  readonly #budget: SpoolBudget
  /** All there is, while it is small; on disk then. */
  #memory: Buffer[] = []
  #queue: Buffer[] = []
  #queuedBytes = 0
  #written = 0
  #size = 0
  #taken = 0
  #file: SpoolFile | undefined
  /** Never rejects: what goes wrong is in `#failure`. */
  #flushing: Promise<void> | undefined
  #failure: Error | undefined
  #released = false

  constructor(budget: SpoolBudget) {
    this.#budget = budget
  }

  get size(): number {
    return this.#size
  }

  /**
   * Takes a chunk. A promise where the disk is behind: no more should come before it has resolved.
   * Throws or rejects with `GatewayError` 503 where there is no more room, 413 where there never is.
   */
  write(chunk: Buffer): Promise<void> | undefined {
    this.#assertSound()
    this.#size += chunk.length
    if (this.#size <= memoryBytes) {
      this.#memory.push(chunk)
      return undefined
    }
    this.#enqueue([...this.#memory, chunk])
    this.#memory = []
    if (this.#queuedBytes <= waitingBytes) return undefined
    return this.#flushed()
  }

  /** Resolves when everything that was written can be read. */
  async finish(): Promise<void> {
    await this.#flushed()
    if (this.#memory.length > 1) this.#memory = [Buffer.concat(this.#memory)]
  }

  /** At most so many bytes of a range as a buffer may hold. Rejects with 503 where the disk fails. */
  async read(start: number, end: number): Promise<Buffer> {
    this.#assertSound()
    const last = Math.min(end, this.#size)
    if (last <= start) return Buffer.alloc(0)
    if (this.#file) return this.#file.read(start, last).catch(unreadable)
    return (this.#memory[0] as Buffer).subarray(start, last)
  }

  /** These pieces, one after another: ranges of the body, and bytes that stand between them. */
  stream(segments: readonly Segment[]): Readable {
    return new SegmentStream(this, segments)
  }

  /** Gives the space back. What is still being read ends with an error. */
  [Symbol.dispose](): void {
    if (this.#released) return
    this.#released = true
    this.#memory = []
    this.#queue = []
    void this.#close()
  }

  #enqueue(chunks: readonly Buffer[]): void {
    const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
    this.#budget.take(bytes, this.#taken + bytes)
    this.#taken += bytes
    this.#queue.push(...chunks)
    this.#queuedBytes += bytes
    this.#flushing ??= this.#flush()
  }

  async #flushed(): Promise<void> {
    await this.#flushing
    this.#assertSound()
  }

  async #flush(): Promise<void> {
    try {
      this.#file ??= await SpoolFile.create(this.#budget.directory)
      while (this.#queue.length > 0) {
        const chunks = this.#queue
        const bytes = this.#queuedBytes
        this.#queue = []
        await this.#file.write(chunks, this.#written)
        this.#written += bytes
        this.#queuedBytes -= bytes
      }
    } catch (error) {
      this.#failure = isFull(error) ? spoolFull(error) : spoolUnavailable(error)
    }
    this.#flushing = undefined
  }

  /** The space counts as taken until the disk really has it back. */
  async #close(): Promise<void> {
    await this.#flushing
    await this.#file?.close().catch(() => {})
    this.#budget.give(this.#taken)
  }

  #assertSound(): void {
    if (this.#failure) throw this.#failure
    if (this.#released) throw new Error('The exchange has ended, and its body is gone.')
  }
}

function unreadable(cause: unknown): never {
  throw spoolUnavailable(cause)
}

/** The disk is full, or the account's share of it, or there are no more files to open. */
function isFull(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'EMFILE' || code === 'ENFILE'
}
