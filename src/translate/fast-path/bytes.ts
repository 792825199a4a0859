/** Strings of JSON as the bytes between their quotes. */

/** Bytes that stand in JSON as they are, written one by one. */

export const newline = 0x0a

export const space = 0x20

export const quote = 0x22

export const backslash = 0x5c

const zero = 0x30

const tilde = 0x7e

/** Of the number of a frame. */
export const mostDigits = 10

/** Whether a byte, or a character, needs neither an escape nor more than itself. */
export function isPlain(code: number): boolean {
  return code >= space && code <= tilde && code !== quote && code !== backslash
}

/** Writes a whole number from 0 to below 2^31, and gives the position behind it. */
export function writeNumber(bytes: Buffer, at: number, number: number): number {
  let behind = at + 1
  for (let power = 10; power <= number; power *= 10) behind++
  let rest = number
  for (let place = behind - 1; place >= at; place--) {
    // Faster than rounding: the result is a whole number for the runtime too.
    const tens = (rest / 10) | 0
    bytes[place] = zero + rest - tens * 10
    rest = tens
  }
  return behind
}

/** Where a string ends that begins here, or -1 where none does. Its escapes are not looked at. */
export function stringEnd(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte === quote) return at
    if (byte < space) return -1
    if (byte === backslash) at++
  }
  return -1
}

/** Where a string ends that begins here and has no escapes, or -1. */
export function plainEnd(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte === quote) return at
    if (byte === backslash || byte < space) return -1
  }
  return -1
}

/** For each byte whether the answer is yes, as 1 or 0. */
function tableOf(isSo: (byte: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => Number(isSo(byte)))
}

const plain = tableOf(isPlain)

/** What follows a backslash where the runtime writes one, but for code units in hexadecimal. */
const escaped = tableOf((byte) => '"\\bfnrt'.includes(String.fromCharCode(byte)))

/**
 * Copies the string that begins here, and gives the position of its closing quote: -1 where it is longer
 * than `most` bytes, where the runtime would write the same text in another way, as it does with an
 * escape that is not needed, or where it is no text.
 */
export function copyString(
  source: Buffer,
  start: number,
  most: number,
  target: Buffer,
  to: number,
): number {
  const last = start + most
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
      for (const behind = from + size; from < behind; from++) target[at++] = source[from] as number
    }
  }
  return -1
}

function escapeSize(bytes: Buffer, at: number): number {
  return escaped[bytes[at + 1] as number] === 1 ? 2 : 0
}

/** The least code point of a character of so many bytes. */
const leastCodes = [0, 0, 0x80, 0x800, 0x1_00_00]

const mostCode = 0x10_ff_ff

const mostLead = 0xf4

/** How many bytes a character has that is beyond ASCII (RFC 3629), or 0 where these are none. */
function characterSize(bytes: Buffer, at: number): number {
  const lead = bytes[at] as number
  if (lead < 0xc0 || lead > mostLead) return 0
  const size = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
  let code = lead & (0x7f >> size)
  for (let index = 1; index < size; index++) {
    const byte = bytes[at + index] as number
    if ((byte & 0xc0) !== 0x80) return 0
    code = (code << 6) | (byte & 0x3f)
  }
  const isSurrogate = code >= 0xd8_00 && code <= 0xdf_ff
  return code >= (leastCodes[size] as number) && code <= mostCode && !isSurrogate ? size : 0
}
