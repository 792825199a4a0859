/** Memory that all replies share while they are collected, in bytes. */
export interface CollectingMemory {
  left: number
}

/**
 * A reply that is collected while it goes to its client. It lets go of a reply that is too long, or for which there
 * is no memory.
 */
export class CollectedReply {
  readonly name: string
  readonly type: string
  readonly #most: number
  readonly #memory: CollectingMemory
  #pieces: Buffer[] = []
  #bytes = 0
  #isWhole = false
  #isReleased = false

  /** `most`: the longest reply that is kept, in bytes. */
  constructor(name: string, type: string, most: number, memory: CollectingMemory) {
    this.name = name
    this.type = type
    this.#most = most
    this.#memory = memory
  }

  /** Whether all bytes are here: the body has ended, and is not too long. */
  get isWhole(): boolean {
    return this.#isWhole && !this.#isReleased
  }

  set isWhole(isWhole: boolean) {
    this.#isWhole = isWhole
  }

  get content(): Buffer {
    return Buffer.concat(this.#pieces)
  }

  /** Copies the piece, whose memory may be used again. */
  add(piece: Buffer | string): void {
    if (this.#isReleased) return
    const bytes = Buffer.from(piece as string)
    if (this.#bytes + bytes.length > this.#most || bytes.length > this.#memory.left) {
      return this.release()
    }
    this.#memory.left -= bytes.length
    this.#bytes += bytes.length
    this.#pieces.push(bytes)
  }

  /** Gives its memory back. */
  release(): void {
    this.#isReleased = true
    this.#memory.left += this.#bytes
    this.#bytes = 0
    this.#pieces = []
  }
}
