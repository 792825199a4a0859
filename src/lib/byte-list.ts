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
  /** The place of all bytes, see `reserve`. */
  #place: Buffer | undefined

  /** In bytes. */
  get size(): number {
    return this.#size
  }

  /**
   * Prepares a place for this many bytes in all. Bytes that come later are copied there as they arrive:
   * joining large ones at the end takes hundreds of milliseconds where the system is short of memory.
   */
  reserve(bytes: number): void {
    if (this.#place || bytes < this.#size) return
    const place = Buffer.allocUnsafeSlow(bytes)
    this.#chunks.reduce((at, chunk) => at + chunk.copy(place, at), 0)
    this.#chunks = []
    this.#place = place
  }

  add(chunk: Buffer): void {
    const place = this.#place
    if (place && this.#size + chunk.length <= place.length) {
      chunk.copy(place, this.#size)
      this.#size += chunk.length
      return
    }
    if (place) this.#leavePlace()
    this.#size += chunk.length
    this.#looseBytes += chunk.length
    if (this.#chunks.push(chunk) - this.#looseFrom >= mostLoose) this.#joinLoose()
  }

  /** Removes and returns all bytes. A single chunk is returned as it is. */
  take(): Buffer {
    if (this.#place) this.#leavePlace()
    const [only] = this.#chunks
    const isOne = this.#chunks.length === 1 && only !== undefined
    const bytes = isOne ? only : Buffer.concat(this.#chunks, this.#size)
    this.clear()
    return bytes
  }

  /** Removes and returns all bytes without joining them. */
  takeChunks(): readonly Buffer[] {
    if (this.#place) this.#leavePlace()
    const chunks = this.#chunks
    this.clear()
    return chunks
  }

  clear(): void {
    this.#chunks = []
    this.#size = 0
    this.#looseFrom = 0
    this.#looseBytes = 0
    this.#place = undefined
  }

  /** Makes the bytes in the place a chunk like others. */
  #leavePlace(): void {
    this.#chunks = [this.#place!.subarray(0, this.#size)]
    this.#looseFrom = 1
    this.#looseBytes = 0
    this.#place = undefined
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
