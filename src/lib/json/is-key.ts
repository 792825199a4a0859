import type { ByteRange } from './scan.ts'

const backslash = 0x5c
const letterU = 0x75

/** The bytes of a character as an escape, such as `\u006d`. */
const escapeBytes = 6

/**
 * Whether a key is `key`, a name of ASCII letters as JSON. It decodes and copies none: a text can be little else than
 * keys.
 */
export function isKey(bytes: Buffer, { start, end }: ByteRange, key: Buffer): boolean {
  if (end - start < key.length) return false
  let at = start
  for (const expected of key) {
    const isEscaped = bytes[at] === backslash
    if ((isEscaped ? escapedAt(bytes, at) : bytes[at]) !== expected) return false
    at += isEscaped ? escapeBytes : 1
  }
  return at === end
}

/** The character of an escape; `undefined` for a short one, which stands for no letter. */
function escapedAt(bytes: Buffer, at: number): number | undefined {
  if (bytes[at + 1] !== letterU) return undefined
  return Number.parseInt(bytes.toString('latin1', at + 2, at + escapeBytes), 16)
}
