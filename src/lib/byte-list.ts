/** Chunks after which small ones are joined. */
const mostLoose = 512

/** In bytes: chunks that are smaller on average are joined. Each object costs some hundred bytes. */
const smallChunk = 1024

/**
 * Collects the chunks of a body in memory. Chunks of a byte each, which a sender can choose to make, take
 * hardly more memory than their bytes. Large chunks are not copied.
 */
export class ByteList {
  #chunks: Buffer[] = []
  #size = 0
  /** The chunks that have not been looked at: those from this index on, and their bytes. */
  #looseFrom = 0
  #looseBytes = 0

  /** In bytes. */
  get size(): number {
    return this.#size
  }

  add(chunk: Buffer): void {
    this.#size += chunk.length
    this.#looseBytes += chunk.length
    if (this.#chunks.push(chunk) - this.#looseFrom >= mostLoose) this.#joinLoose()
  }

  /** Removes and returns all bytes. A single chunk is returned as it is. */
  take(): Buffer {
    const [only] = this.#chunks
    const isOne = this.#chunks.length === 1 && only !== undefined
    const bytes = isOne ? only : Buffer.concat(this.#chunks, this.#size)
    this.clear()
    return bytes
  }

  /** Removes and returns all bytes without joining them. */
  takeChunks(): readonly Buffer[] {
    const chunks = this.#chunks
    this.clear()
    return chunks
  }

  clear(): void {
    this.#chunks = []
    this.#size = 0
    this.#looseFrom = 0
    this.#looseBytes = 0
  }

  #joinLoose(): void {
    if (this.#looseBytes < mostLoose * smallChunk) {
      const loose = this.#chunks.splice(this.#looseFrom)
      this.#chunks.push(Buffer.concat(loose, this.#looseBytes))
    }
    this.#looseFrom = this.#chunks.length
    this.#looseBytes = 0
  }
}
