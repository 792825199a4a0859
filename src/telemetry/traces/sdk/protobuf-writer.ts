/** The type of what follows a field's number. */
const wireType = { varint: 0, fixed64: 1, lengthDelimited: 2, fixed32: 5 } as const

const two16 = 2 ** 16
const two32 = 2 ** 32

/** In characters. Calling machine code costs more than the bytes of a shorter text. */
const shortText = 48

/** The values of the characters that are hex digits. */
const hexDigits = new Uint8Array(128)
for (let value = 0; value < 16; value++) {
  hexDigits[value.toString(16).charCodeAt(0)] = value
  hexDigits[value.toString(16).toUpperCase().charCodeAt(0)] = value
}

/**
 * Writes protobuf messages. The serializer of the SDK takes texts byte by byte, twice, which was half of the cost
 * of a sampled call (measured with `npm run bench:telemetry`).
 */
export class ProtobufWriter {
  #memory: Buffer
  #at = 0

  /** `size` in bytes: what it holds before it grows. */
  constructor(size: number) {
    this.#memory = Buffer.allocUnsafeSlow(size)
  }

  /** The bytes written so far. The next write may replace them. */
  get bytes(): Buffer {
    return this.#memory.subarray(0, this.#at)
  }

  /** A copy of the bytes written since `from`, a place that `at` gave, for a short time: it may hold a pool of memory. */
  copyFrom(from: number): Buffer {
    return Buffer.from(this.#memory.subarray(from, this.#at))
  }

  /** The same copy in memory of its own, for as long as the process runs. */
  keepFrom(from: number): Buffer {
    const kept = Buffer.allocUnsafeSlow(this.#at - from)
    this.#memory.copy(kept, 0, from, this.#at)
    return kept
  }

  /** The place of the next byte. */
  get at(): number {
    return this.#at
  }

  /** Forgets what was written. */
  clear(): void {
    this.#at = 0
  }

  /** Writes a whole number of 64 bits; a negative one as its two's complement, which has ten bytes. */
  integer(field: number, value: number): void {
    if (value >= 0) {
      this.number(field, value)
      return
    }
    this.#reserve(16)
    this.#varint(field * 8 + wireType.varint)
    let rest = BigInt.asUintN(64, BigInt(value))
    for (; rest > 0x7fn; rest >>= 7n) this.#memory[this.#at++] = Number(rest & 0x7fn) | 0x80
    this.#memory[this.#at++] = Number(rest)
  }

  /** Writes a whole number that is not negative. */
  number(field: number, value: number): void {
    this.#reserve(16)
    this.#varint(field * 8 + wireType.varint)
    this.#varint(value)
  }

  boolean(field: number, value: boolean): void {
    this.number(field, value ? 1 : 0)
  }

  double(field: number, value: number): void {
    this.#reserve(16)
    this.#varint(field * 8 + wireType.fixed64)
    this.#at = this.#memory.writeDoubleLE(value, this.#at)
  }

  /** Writes seconds and nanoseconds as nanoseconds, in 64 bits. */
  time(field: number, [seconds, nanoseconds]: readonly [number, number]): void {
    this.#reserve(16)
    this.#varint(field * 8 + wireType.fixed64)
    // The product does not fit into the 53 bits of a number; those of both halves of the seconds do.
    const upper = Math.floor(seconds / two16) * 1e9
    const lower = (upper % two16) * two16 + (seconds % two16) * 1e9 + nanoseconds
    this.#four(lower % two32)
    this.#four(Math.floor(upper / two16) + Math.floor(lower / two32))
  }

  fixed32(field: number, value: number): void {
    this.#reserve(16)
    this.#varint(field * 8 + wireType.fixed32)
    this.#four(value)
  }

  /** Writes the bytes of hex digits. */
  hex(field: number, digits: string): void {
    const size = digits.length / 2
    this.#reserve(size + 16)
    this.#head(field, size)
    for (let index = 0; index < digits.length; index += 2) {
      const upper = hexDigits[digits.charCodeAt(index)]! << 4
      this.#memory[this.#at++] = upper | hexDigits[digits.charCodeAt(index + 1)]!
    }
  }

  text(field: number, value: string): void {
    if (value.length <= shortText && this.#short(field, value)) return
    const size = Buffer.byteLength(value)
    this.#reserve(size + 16)
    this.#head(field, size)
    this.#at += this.#memory.write(value, this.#at, size)
  }

  /** Writes bytes that are fields already. */
  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#memory.set(bytes, this.#at)
    this.#at += bytes.length
  }

  /** Begins a message in a field. Returns the value for `end`. */
  begin(field: number): number {
    this.#reserve(16)
    this.#varint(field * 8 + wireType.lengthDelimited)
    return this.#at++
  }

  /** Ends a message: writes its length before it. Most are short, so that one byte is free for that. */
  end(start: number): void {
    const content = start + 1
    const size = this.#at - content
    if (size < 0x80) {
      this.#memory[start] = size
      return
    }
    const more = bytesOf(size) - 1
    this.#reserve(more)
    this.#memory.copyWithin(content + more, content, this.#at)
    this.#at = start
    this.#varint(size)
    this.#at += size
  }

  /** Writes a short text, unless it has characters of several bytes. */
  #short(field: number, value: string): boolean {
    this.#reserve(value.length + 16)
    const start = this.#at
    this.#head(field, value.length)
    const memory = this.#memory
    let at = this.#at
    for (let index = 0; index < value.length; index++) {
      const code = value.charCodeAt(index)
      if (code > 0x7f) {
        this.#at = start
        return false
      }
      memory[at++] = code
    }
    this.#at = at
    return true
  }

  #head(field: number, size: number): void {
    this.#varint(field * 8 + wireType.lengthDelimited)
    this.#varint(size)
  }

  /** Writes 32 bits, the lowest first. */
  #four(value: number): void {
    const memory = this.#memory
    const at = this.#at
    memory[at] = value
    memory[at + 1] = value >>> 8
    memory[at + 2] = value >>> 16
    memory[at + 3] = value >>> 24
    this.#at = at + 4
  }

  #varint(value: number): void {
    let rest = value
    while (rest > 0x7f) {
      this.#memory[this.#at++] = (rest % 0x80) | 0x80
      rest = Math.floor(rest / 0x80)
    }
    this.#memory[this.#at++] = rest
  }

  #reserve(bytes: number): void {
    const needed = this.#at + bytes
    if (needed <= this.#memory.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#memory.length))
    larger.set(this.bytes)
    this.#memory = larger
  }
}

/** The bytes of a number as a varint, which has 7 bits in each. */
function bytesOf(value: number): number {
  let bytes = 1
  for (let rest = value; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes++
  return bytes
}
