/** Collects bits, the most significant first, as JPEG and H.264 write them. */
export class BitWriter {
  readonly #bytes: number[] = []
  #current = 0
  #count = 0

  /** The lowest `width` bits of `value`. */
  put(value: number, width: number): this {
    for (let bit = width - 1; bit >= 0; bit--) this.#putBit((value >>> bit) & 1)
    return this
  }

  /** An unsigned number in Exp-Golomb code. */
  putUnsigned(value: number): this {
    const width = 32 - Math.clz32(value + 1)
    return this.put(0, width - 1).put(value + 1, width)
  }

  /** A signed number in Exp-Golomb code. */
  putSigned(value: number): this {
    return this.putUnsigned(value > 0 ? 2 * value - 1 : -2 * value)
  }

  /** Fills the byte that was begun, if there is one, with the bit. */
  align(bit: 0 | 1): this {
    while (this.#count > 0) this.#putBit(bit)
    return this
  }

  /** Bytes as they are; what was written before them must be aligned. */
  putBytes(bytes: Iterable<number>): this {
    for (const byte of bytes) this.#bytes.push(byte)
    return this
  }

  /** Everything written, which must be aligned. */
  toBuffer(): Buffer {
    return Buffer.from(this.#bytes)
  }

  #putBit(bit: number): void {
    this.#current = (this.#current << 1) | bit
    this.#count += 1
    if (this.#count < 8) return
    this.#bytes.push(this.#current)
    this.#current = 0
    this.#count = 0
  }
}

/** The same, with the least significant bit first, as WebP writes it. */
export class LowBitWriter {
  readonly #bytes: number[] = []
  #current = 0
  #count = 0

  put(value: number, width: number): this {
    for (let bit = 0; bit < width; bit++) {
      this.#current |= ((value >>> bit) & 1) << this.#count
      this.#count += 1
      if (this.#count === 8) this.#flush()
    }
    return this
  }

  /** Everything written; the last byte is filled with zeros. */
  toBuffer(): Buffer {
    if (this.#count > 0) this.#flush()
    return Buffer.from(this.#bytes)
  }

  #flush(): void {
    this.#bytes.push(this.#current)
    this.#current = 0
    this.#count = 0
  }
}
