/** Collects bits, the most significant first, as JPEG and H.264 write them. */
export class BitWriter {
  readonly #bytes: number[] = []
  #current = 0
  #count = 0

  /** Writes the lowest `width` bits of `value`. */
  put(value: number, width: number): this {
    for (let bit = width - 1; bit >= 0; bit--) this.#putBit((value >>> bit) & 1)
    return this
  }

  /** Writes an unsigned number in Exp-Golomb code. */
  putUnsigned(value: number): this {
    const width = 32 - Math.clz32(value + 1)
    return this.put(0, width - 1).put(value + 1, width)
  }

  /** Writes a signed number in Exp-Golomb code. */
  putSigned(value: number): this {
    return this.putUnsigned(value > 0 ? 2 * value - 1 : -2 * value)
  }

  /** Fills an incomplete byte with this bit. */
  align(bit: 0 | 1): this {
    while (this.#count > 0) this.#putBit(bit)
    return this
  }

  /** Writes whole bytes. The bits before them must be aligned. */
  putBytes(bytes: Iterable<number>): this {
    for (const byte of bytes) this.#bytes.push(byte)
    return this
  }

  /** All bytes. The bits must be aligned. */
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

/** Collects bits, the least significant first, as WebP writes them. */
export class LowBitWriter {
  readonly #bytes: number[] = []
  #current = 0
  #count = 0

  /** Writes the lowest `width` bits of `value`. */
  put(value: number, width: number): this {
    for (let bit = 0; bit < width; bit++) {
      this.#current |= ((value >>> bit) & 1) << this.#count
      this.#count += 1
      if (this.#count === 8) this.#flush()
    }
    return this
  }

  /** All bytes, the last one filled up with zeros. */
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
