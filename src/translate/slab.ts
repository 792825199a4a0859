/** Frames are small, and what a slow client has not taken keeps all of the memory that it is part of. */
const size = 16 * 1024

/**
 * Memory for what streams write, cut from one piece for all of them: whoever takes it is alone with it
 * until it is given back, and what was written there is never written over.
 */
class Slab {
  #free: Buffer | undefined
  #behind = 0
  /** Where the memory that was taken last is free. */
  at = 0

  /** Memory of at least so many bytes from `at` on. */
  take(least: number): Buffer {
    const free = this.#free
    this.#free = undefined
    const isEnough = free !== undefined && free.length - this.#behind >= least
    this.at = isEnough ? this.#behind : 0
    return isEnough ? free : Buffer.allocUnsafeSlow(Math.max(least, size))
  }

  /** What stands before `behind` stays as it is. */
  giveBack(bytes: Buffer, behind: number): void {
    if (bytes.length !== size) return
    this.#free = bytes
    this.#behind = behind
  }
}

/** One for the process: all that is written to it at a time is the frames of one read. */
export const slab = new Slab()
