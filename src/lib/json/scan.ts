/**
 * Finds values in the bytes of a JSON text that `JSON.parse` has accepted, so that they can be
 * replaced without serialising the rest: big integers, number formats, key order and escapes
 * elsewhere stay as the client wrote them. Ranges of strings include the quotes.
 */

const quote = 0x22

const backslash = 0x5c

const openBrace = 0x7b

const closeBrace = 0x7d

const openBracket = 0x5b

const closeBracket = 0x5d

const comma = 0x2c

/** Most strings are short. A native search is faster from this length on. */
const nativeSearchFrom = 24

/** The bytes behind an escaped quote that are searched one by one. */
const escapedSearch = 512

/**
 * Calls `visit` for the members of the object at `at`, in order, duplicates included. Throws `TooDeep`
 * for a value that is nested more deeply than `depth` levels.
 */
export function eachMember(
  bytes: Buffer,
  at: number,
  visit: (key: ByteRange, value: ByteRange) => void,
  depth = Infinity,
): void {
  passMembers(bytes, at, (key, start) => {
    const end = endOfValue(bytes, start, depth)
    visit(key, { start, end })
    return end
  })
}

/**
 * Like `eachMember`, but `pass` returns the end of each value, which it finds itself. Returns the
 * end of the object.
 */
export function passMembers(
  bytes: Buffer,
  at: number,
  pass: (key: ByteRange, start: number) => number,
): number {
  let position = skipSpace(bytes, at)
  if (bytes[position] !== openBrace) return endOfValue(bytes, position)
  position = skipSpace(bytes, position + 1)
  while (bytes[position] === quote) {
    const key = { start: position, end: skipString(bytes, position) }
    const start = skipSpace(bytes, skipSpace(bytes, key.end) + 1)
    position = skipSpace(bytes, pass(key, start))
    if (bytes[position] !== comma) break
    position = skipSpace(bytes, position + 1)
  }
  return position + 1
}

/** Calls `visit` for the elements of the array at `at`, in order. */
export function eachElement(bytes: Buffer, at: number, visit: (element: ByteRange) => void): void {
  passElements(bytes, at, (start) => {
    const end = endOfValue(bytes, start)
    visit({ start, end })
    return end
  })
}

/**
 * Like `eachElement`, but `pass` returns the end of each element, which it finds itself. Returns
 * the end of the array.
 */
export function passElements(bytes: Buffer, at: number, pass: (start: number) => number): number {
  let position = skipSpace(bytes, at)
  if (bytes[position] !== openBracket) return endOfValue(bytes, position)
  position = skipSpace(bytes, position + 1)
  while (position < bytes.length && bytes[position] !== closeBracket) {
    position = skipSpace(bytes, pass(position))
    if (bytes[position] !== comma) break
    position = skipSpace(bytes, position + 1)
  }
  return position + 1
}

/** Decodes a key or a string value. */
export function decodeString(bytes: Buffer, range: ByteRange): string {
  const raw = bytes.toString('utf8', range.start, range.end)
  return raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1)
}

/** The value of the member `name`: the last one if there are several, as in `JSON.parse`. */
export function findMember(bytes: Buffer, at: number, name: string): ByteRange | undefined {
  let found: ByteRange | undefined
  eachMember(bytes, at, (key, value) => {
    if (decodeString(bytes, key) === name) found = value
  })
  return found
}

/** Thrown for a value that is nested more deeply than allowed. */
export class TooDeep extends Error {}

/** The end of the value that starts at `start`. Throws `TooDeep` for more than `depth` levels. */
export function endOfValue(bytes: Buffer, start: number, depth = Infinity): number {
  const first = bytes[start]
  if (first === quote) return skipString(bytes, start)
  if (first === openBrace || first === openBracket) return endOfNested(bytes, start, depth)
  let position = start
  while (position < bytes.length && !endsScalar(bytes[position] as number)) position++
  return position
}

function endsScalar(byte: number): boolean {
  return byte === comma || byte === closeBrace || byte === closeBracket || byte <= 0x20
}

/** Whether a byte opens or closes a value: a table, since a text may have millions of others between them. */
const isStructural = Uint8Array.from({ length: 256 }, (_, byte) =>
  [quote, openBrace, closeBrace, openBracket, closeBracket].includes(byte) ? 1 : 0,
)

function endOfNested(bytes: Buffer, start: number, most: number): number {
  const { length } = bytes
  let depth = 0
  let position = start
  for (;;) {
    while (position < length && isStructural[bytes[position] as number] === 0) position++
    if (position >= length) return position
    const byte = bytes[position] as number
    if (byte === quote) {
      position = skipString(bytes, position)
      continue
    }
    position++
    if (byte === openBrace || byte === openBracket) {
      if (++depth > most) throw new TooDeep()
    } else if (--depth === 0) return position
  }
}

/** The position after the closing quote of the string that opens at `start`. */
export function skipString(bytes: Buffer, start: number): number {
  const end = findClosingQuote(bytes, start + 1)
  return end < 0 ? bytes.length : end + 1
}

/** The position of the quote that closes a string, from inside of it and outside of an escape; -1 for none. */
export function findClosingQuote(bytes: Buffer, from: number): number {
  let position = from
  let near = Math.min(bytes.length, position + nativeSearchFrom)
  for (;;) {
    position = quoteBefore(bytes, position, near)
    if (position < near) return position
    const end = bytes.indexOf(quote, position)
    if (end < 0) return -1
    if (!isEscaped(bytes, end, position)) return end
    position = end + 1
    // Escaped quotes stand close together: a native search for each would take seconds.
    near = Math.min(bytes.length, position + escapedSearch)
  }
}

/**
 * The position of the first quote before `near`; without one, `near` or the position behind it. V8 compiles a loop sooner
 * that is a function of its own: 11 MB of escaped quotes take 16 ms in place of 31 when they are the first.
 */
function quoteBefore(bytes: Buffer, from: number, near: number): number {
  let position = from
  while (position < near) {
    const byte = bytes[position]
    if (byte === quote) break
    if (byte === backslash) position += 2
    else position++
  }
  return position
}

/** Whether an escape includes the position. `from` is an earlier one that none includes. */
export function isEscaped(bytes: Buffer, position: number, from: number): boolean {
  let before = position
  while (before > from && bytes[before - 1] === backslash) before--
  return (position - before) % 2 === 1
}

/** A range of bytes: from `start`, up to and without `end`. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** The bytes of white space that are looked at one by one. */
const shortSpace = 64

/** The position of the next byte of JSON that is no white space. Other characters of control count as such. */
export function skipSpace(bytes: Buffer, at: number): number {
  let position = at
  const far = at + shortSpace
  while (isControl(bytes[position])) {
    if (++position === far) return skipWords(bytes, position, isControl, areControls)
  }
  return position
}

/** The same for text that may be no JSON: other characters of control do not count. */
export function skipJsonSpace(bytes: Buffer, at: number): number {
  let position = at
  const far = at + shortSpace
  while (isSpace(bytes[position])) {
    if (++position === far) return skipWords(bytes, position, isSpace, areSpaces)
  }
  return position
}

/** Looks at words of four bytes: one by one, a body of little else would hold up all others. */
function skipWords(
  bytes: Buffer,
  at: number,
  passesByte: (byte: number | undefined) => boolean,
  passesWord: (word: number) => boolean,
): number {
  let position = at
  while ((bytes.byteOffset + position) % 4 !== 0 && passesByte(bytes[position])) position++
  if ((bytes.byteOffset + position) % 4 === 0) {
    const start = bytes.byteOffset + position
    const words = new Int32Array(bytes.buffer, start, (bytes.length - position) >> 2)
    position += 4 * wordsOf(words, passesWord)
  }
  while (passesByte(bytes[position])) position++
  return position
}

/** The number of words at the beginning that pass. Most of them equal the one before. */
function wordsOf(words: Int32Array, passes: (word: number) => boolean): number {
  let known = Number.NaN
  let count = 0
  for (; count < words.length; count++) {
    const word = words[count] as number
    if (word === known) continue
    if (!passes(word)) break
    known = word
  }
  return count
}

function isControl(byte: number | undefined): boolean {
  return byte !== undefined && byte <= 0x20
}

/** With 0x5f more none of four bytes reaches 0x80, and none is above it before. */
function areControls(word: number): boolean {
  return ((word | (word + 0x5f5f5f5f)) & 0x80808080) === 0
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

function areSpaces(word: number): boolean {
  return (
    isSpace(word & 0xff) &&
    isSpace((word >> 8) & 0xff) &&
    isSpace((word >> 16) & 0xff) &&
    isSpace(word >>> 24)
  )
}

/** JSON text, in which strings are searched. */
export interface JsonText {
  readonly bytes: Buffer
  /** Where the strings and the names of a large text begin, in order. */
  readonly stringStarts?: ArrayLike<number>
}

/**
 * Whether JSON text may have a string that begins with `start`, which is ASCII and includes the quote. A
 * large text is known string by string: any search through 64 MiB would stop others for too long.
 */
export function hasString({ bytes, stringStarts }: JsonText, start: string): boolean {
  if (!stringStarts) return bytes.includes(start)
  for (let index = 0; index < stringStarts.length; index++) {
    if (isTextAt(bytes, stringStarts[index] as number, start)) return true
  }
  return false
}

function isTextAt(bytes: Buffer, at: number, text: string): boolean {
  // All strings begin with the same quote.
  for (let index = 1; index < text.length; index++) {
    if (bytes[at + index] !== text.charCodeAt(index)) return false
  }
  return true
}

/** As `hasString`, also for strings that write characters of `start` as escapes: `"\u0066ile-1"` for `"file-`. */
export function mayHaveString(text: JsonText, start: string): boolean {
  return hasString(text, start) || hasEscapedString(text, start)
}

function hasEscapedString({ bytes, stringStarts }: JsonText, start: string): boolean {
  if (stringStarts) {
    for (let index = 0; index < stringStarts.length; index++) {
      if (isEscapedAt(bytes, stringStarts[index] as number, start)) return true
    }
    return false
  }
  for (let at = bytes.indexOf(backslash); at > 0; at = bytes.indexOf(backslash, at + 1)) {
    let from = at - 1
    while (from > at - start.length && bytes[from] !== quote) from--
    if (bytes[from] === quote && isEscapedAt(bytes, from, start)) return true
  }
  return false
}

/** Whether an escape comes before the first character that differs. */
function isEscapedAt(bytes: Buffer, at: number, text: string): boolean {
  for (let index = 1; index < text.length; index++) {
    const byte = bytes[at + index]
    if (byte === backslash) return true
    if (byte !== text.charCodeAt(index)) return false
  }
  return false
}
