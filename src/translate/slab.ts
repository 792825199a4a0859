/** Frames are small, and what a slow client has not taken keeps all of the memory that it is part of. */
const size = 16 * 1024

/**
 * Memory for what streams write, cut from one piece for all of them: whoever takes it is alone with it
 * until it is given back, and what was written there is never written over.
 */
class Slab {
  #free: Buffer | undefined
  #at = 0

  /** At least so many bytes, from `at` on. */
  take(least: number): { readonly bytes: Buffer; readonly at: number } {
    const bytes = this.#free
    this.#free = undefined
    if (bytes && bytes.length - this.#at >= least) return { bytes, at: this.#at }
    return { bytes: Buffer.allocUnsafeSlow(Math.max(least, size)), at: 0 }
  }

  /** What stands before `behind` stays as it is. */
  giveBack(bytes: Buffer, behind: number): void {
    if (bytes.length !== size) return
    this.#free = bytes
    this.#at = behind
  }
}

/** One for the process: all that is written to it at a time is the frames of one read. */
export const slab = new Slab()
