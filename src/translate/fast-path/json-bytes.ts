/** Reads and writes JSON strings and numbers as bytes, without decoding them. */

export const newline = 0x0a

const space = 0x20

export const quote = 0x22

const backslash = 0x5c

const zero = 0x30

const tilde = 0x7e

/** The maximum of digits that `writeNumber` writes. */
export const maxDigits = 10

/** Whether a byte or a UTF-16 code unit is ASCII that a JSON string contains without an escape. */
export function isPlain(code: number): boolean {
  return code >= space && code <= tilde && code !== quote && code !== backslash
}

/** Writes an integer from 0 to below 2^31 in decimal. Returns the position after it. */
export function writeNumber(bytes: Buffer, at: number, number: number): number {
  let end = at + 1
  for (let power = 10; power <= number; power *= 10) end++
  let rest = number
  for (let place = end - 1; place >= at; place--) {
    // Faster than rounding: the runtime keeps the result as an integer.
    const tens = (rest / 10) | 0
    bytes[place] = zero + rest - tens * 10
    rest = tens
  }
  return end
}

/**
 * The position of the closing quote of the JSON string whose content begins at `from`, or -1. Escapes
 * are passed over without a check.
 */
export function stringEnd(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte === quote) return at
    if (byte < space) return -1
    if (byte === backslash) at++
  }
  return -1
}

/** Like `stringEnd`, but -1 also for a string with escapes. */
export function plainEnd(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte === quote) return at
    if (byte === backslash || byte < space) return -1
  }
  return -1
}

/** A table with 1 for each byte that the test accepts and 0 for the others. */
function tableOf(accepts: (byte: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => Number(accepts(byte)))
}

const plain = tableOf(isPlain)

/** The bytes after a backslash in the output of `JSON.stringify`, except the `u` of `\uXXXX`. */
const escaped = tableOf((byte) => '"\\bfnrt'.includes(String.fromCharCode(byte)))

/**
 * Copies the content of the JSON string that begins at `start`. Returns the position of its closing
 * quote in `source`. Returns -1 if the content exceeds `maxBytes`, if `JSON.stringify` would write the
 * same text otherwise (such as an unneeded escape), or if it is not valid UTF-8.
 */
export function copyString(
  source: Buffer,
  start: number,
  maxBytes: number,
  target: Buffer,
  to: number,
): number {
  const last = start + maxBytes
  let at = to
  for (let from = start; from <= last;) {
    const byte = source[from] as number
    if (plain[byte] === 1) {
      target[at++] = byte
      from++
    } else if (byte === quote) return from
    else {
      const size = byte === backslash ? escapeSize(source, from) : characterSize(source, from)
      if (size === 0) return -1
      for (const end = from + size; from < end; from++) target[at++] = source[from] as number
    }
  }
  return -1
}

function escapeSize(bytes: Buffer, at: number): number {
  return escaped[bytes[at + 1] as number] === 1 ? 2 : 0
}

/** The smallest code point that needs as many bytes as the index says. */
const minCodes = [0, 0, 0x80, 0x800, 0x1_00_00]

const maxCode = 0x10_ff_ff

const maxLead = 0xf4

/** The number of bytes of the non-ASCII character at `at` (RFC 3629), or 0 for malformed UTF-8. */
function characterSize(bytes: Buffer, at: number): number {
  const lead = bytes[at] as number
  if (lead < 0xc0 || lead > maxLead) return 0
  const size = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
  let code = lead & (0x7f >> size)
  for (let index = 1; index < size; index++) {
    const byte = bytes[at + index] as number
    if ((byte & 0xc0) !== 0x80) return 0
    code = (code << 6) | (byte & 0x3f)
  }
  const isSurrogate = code >= 0xd8_00 && code <= 0xdf_ff
  return code >= (minCodes[size] as number) && code <= maxCode && !isSurrogate ? size : 0
}
