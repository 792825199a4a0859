import { markAsUntransferable } from 'node:worker_threads'

import type { Memory } from './words.ts'

/**
 * In bytes: as much as the runtime's own pool, which native streams write from. Before Node 26.3 that
 * had 8 KiB, which few frames fill. What a slow client has not taken keeps all of the memory that it is
 * part of.
 */
const size = Math.max(Buffer.poolSize, 16 * 1024)

/**
 * Memory for what streams write, cut from one piece for all of them: whoever takes it is alone with it
 * until it is given back, and what was written there is never written over.
 */
class Slab {
  #free: Memory | undefined
  #behind = 0
  /** Where the memory that was taken last is free. */
  at = 0

  /** Memory of at least so many bytes from `at` on. */
  take(least: number): Memory {
    const free = this.#free
    this.#free = undefined
    const isEnough = free !== undefined && free.bytes.length - this.#behind >= least
    this.at = isEnough ? this.#behind : 0
    return isEnough ? free : memoryOf(Math.max(least, size))
  }

  /** What stands before `behind` stays as it is. */
  giveBack(memory: Memory, behind: number): void {
    if (memory.bytes.length !== size) return
    this.#free = memory
    this.#behind = behind
  }
}

function memoryOf(length: number): Memory {
  const bytes = Buffer.allocUnsafeSlow(length)
  // Whoever gave away a part of it to another thread would take the frames of other streams along.
  markAsUntransferable(bytes.buffer)
  return { bytes, view: new DataView(bytes.buffer) }
}

/** One for the process: all that is written to it at a time is the frames of one read. */
export const sharedBuffer = new Slab()
