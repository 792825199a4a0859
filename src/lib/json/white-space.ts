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
