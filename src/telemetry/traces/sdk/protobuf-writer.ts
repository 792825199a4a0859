/** The bytes of a field's head: its number, and the type of what follows. */
const lengthDelimited = 2

const two16 = 2 ** 16
const two32 = 2 ** 32

/** In characters. */
const shortText = 48

const keys = new Map<string, Buffer>()

/** Attributes have some hundred names. */
const mostKeys = 1_000

/**
 * Writes protobuf messages. Texts are copied by the machine code of Node: the serializer of the SDK takes them
 * byte by byte, twice, which was half of the cost of a sampled call (measured with `npm run bench:telemetry`).
 */
export class ProtobufWriter {
  #memory = Buffer.allocUnsafe(64 * 1024)
  #at = 0

  /** The bytes written so far. The next write may replace them. */
  get bytes(): Buffer {
    return this.#memory.subarray(0, this.#at)
  }

  /** Writes a whole number that is not negative. */
  number(field: number, value: number): void {
    this.#reserve(16)
    this.#varint(field * 8)
    this.#varint(value)
  }

  boolean(field: number, value: boolean): void {
    this.number(field, value ? 1 : 0)
  }

  double(field: number, value: number): void {
    this.#reserve(16)
    this.#varint(field * 8 + 1)
    this.#at = this.#memory.writeDoubleLE(value, this.#at)
  }

  /** Writes seconds and nanoseconds as nanoseconds, in 64 bits. */
  time(field: number, [seconds, nanoseconds]: readonly [number, number]): void {
    this.#reserve(16)
    this.#varint(field * 8 + 1)
    // The product does not fit into the 53 bits of a number; those of both halves of the seconds do.
    const upper = Math.floor(seconds / two16) * 1e9
    const lower = (upper % two16) * two16 + (seconds % two16) * 1e9 + nanoseconds
    this.#at = this.#memory.writeUInt32LE(lower % two32, this.#at)
    const carry = Math.floor(lower / two32)
    this.#at = this.#memory.writeUInt32LE(Math.floor(upper / two16) + carry, this.#at)
  }

  fixed32(field: number, value: number): void {
    this.#reserve(16)
    this.#varint(field * 8 + 5)
    this.#at = this.#memory.writeUInt32LE(value, this.#at)
  }

  /** Writes the bytes of hex digits. */
  hex(field: number, digits: string): void {
    const size = digits.length / 2
    this.#reserve(size + 16)
    this.#head(field, size)
    this.#at += this.#memory.write(digits, this.#at, size, 'hex')
  }

  text(field: number, value: string): void {
    if (value.length <= shortText && this.#short(field, value)) return
    const size = Buffer.byteLength(value)
    this.#reserve(size + 16)
    this.#head(field, size)
    this.#at += this.#memory.write(value, this.#at, size)
  }

  /** Writes a text that comes often. */
  name(field: number, value: string): void {
    let known = keys.get(value)
    if (!known) {
      known = Buffer.from(value)
      if (keys.size < mostKeys) keys.set(value, known)
    }
    this.#reserve(known.length + 16)
    this.#head(field, known.length)
    for (let index = 0; index < known.length; index++) this.#memory[this.#at++] = known[index]!
  }

  /** Begins a message in a field. Returns the value for `end`. */
  begin(field: number): number {
    this.#reserve(16)
    this.#varint(field * 8 + lengthDelimited)
    return this.#at++
  }

  /** Ends a message: writes its length before it. Most are short, so that one byte is free for that. */
  end(start: number): void {
    const content = start + 1
    const size = this.#at - content
    const more = bytesOf(size) - 1
    this.#reserve(more)
    if (more > 0) this.#memory.copyWithin(content + more, content, this.#at)
    this.#at = start
    this.#varint(size)
    this.#at += size
  }

  /** Writes a short text, unless it has characters of several bytes: calling machine code costs more than its bytes. */
  #short(field: number, value: string): boolean {
    this.#reserve(value.length + 16)
    const start = this.#at
    this.#head(field, value.length)
    for (let index = 0; index < value.length; index++) {
      const code = value.charCodeAt(index)
      if (code > 0x7f) {
        this.#at = start
        return false
      }
      this.#memory[this.#at++] = code
    }
    return true
  }

  #head(field: number, size: number): void {
    this.#varint(field * 8 + lengthDelimited)
    this.#varint(size)
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
    const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#memory.length))
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
