/** A reply as the store keeps it. */
export interface StoredReply {
  /** Its content type. */
  readonly type: string
  readonly body: string
  /** Milliseconds since 1970. */
  readonly at: number
}

/** A reply that is collected while it goes to its client. It lets go of a reply that is too long. */
export class CollectedReply {
  readonly name: string
  readonly type: string
  readonly #most: number
  #pieces: Buffer[] = []
  #bytes = 0
  #isWhole = false

  /** `most`: the longest reply that is kept, in bytes. */
  constructor(name: string, type: string, most: number) {
    this.name = name
    this.type = type
    this.#most = most
  }

  /** Whether all bytes are here: the body has ended, and is not too long. */
  get isWhole(): boolean {
    return this.#isWhole && this.#bytes <= this.#most
  }

  set isWhole(isWhole: boolean) {
    this.#isWhole = isWhole
  }

  get text(): string {
    return Buffer.concat(this.#pieces).toString()
  }

  /** Copies the piece, whose memory may be used again. */
  add(piece: Buffer | string): void {
    const bytes = Buffer.from(piece as string)
    this.#bytes += bytes.length
    if (this.#bytes > this.#most) this.#pieces = []
    else this.#pieces.push(bytes)
  }
}
