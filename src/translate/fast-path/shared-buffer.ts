import { markAsUntransferable } from 'node:worker_threads'

import type { Memory } from './word-compare.ts'

/**
 * In bytes: the size of the runtime's own pool, which native streams write from, but at least 16 KiB.
 * Before Node 26.3 that pool had 8 KiB, which a few frames fill. Bytes that a slow client has not taken
 * keep the whole buffer alive that they are part of.
 */
const size = Math.max(Buffer.poolSize, 16 * 1024)

/**
 * Lends memory to the streams that write, all of it cut from one buffer. A borrower has the buffer to
 * itself until it gives the buffer back. Bytes that were written are never overwritten.
 */
class SharedBuffer {
  #free: Memory | undefined
  #used = 0
  /** The first free position of the memory that was taken last. */
  at = 0

  /** Memory with at least `minBytes` free from `at` on. */
  take(minBytes: number): Memory {
    const free = this.#free
    this.#free = undefined
    const isEnough = free !== undefined && free.bytes.length - this.#used >= minBytes
    this.at = isEnough ? this.#used : 0
    return isEnough ? free : memoryOf(Math.max(minBytes, size))
  }

  /** Returns memory whose bytes before `used` are in use. */
  giveBack(memory: Memory, used: number): void {
    if (memory.bytes.length !== size) return
    this.#free = memory
    this.#used = used
  }
}

function memoryOf(length: number): Memory {
  const bytes = Buffer.allocUnsafeSlow(length)
  // Transferring a part of it to a worker would detach the frames of other streams.
  markAsUntransferable(bytes.buffer)
  return { bytes, view: new DataView(bytes.buffer) }
}

/** One for the process: at any time it serves the frames of one read. */
export const sharedBuffer = new SharedBuffer()
