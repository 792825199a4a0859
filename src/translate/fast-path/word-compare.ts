/**
 * Compares and writes byte strings as words of eight bytes. A word is read as a floating-point number,
 * because V8 allocates an object for each 64-bit integer. Two such numbers are equal if their bytes are,
 * except for NaN (unequal to itself) and the two zeros (equal to each other). Neither occurs here: a
 * NaN ends in f0 to ff before 7f or ff, which is not valid UTF-8, and a zero contains U+0000, which
 * the callers exclude.
 */

/** Bytes, and a view of the same bytes. */
export interface Memory {
  readonly bytes: Buffer
  readonly view: DataView
}

const wordShift = 3

const wordBytes = 1 << wordShift

/**
 * Appends a text: its length in bytes, then its words, the last of which may overlap the one before.
 * A text that is shorter than a word is appended byte by byte. The list is an array and not a typed
 * array: the memory of a typed array lies apart from the rest of the stream's state, and reading it
 * took longer.
 */
export function appendWords(words: number[], text: Buffer): void {
  const { length } = text
  words.push(length)
  if (length < wordBytes) for (const byte of text) words.push(byte)
  else {
    for (let at = 0; at < length; at += wordBytes) {
      words.push(text.readDoubleLE(Math.min(at, length - wordBytes)))
    }
  }
}

/** The index after the text that begins at `index`. */
export function nextText(words: readonly number[], index: number): number {
  const length = byteLengthAt(words, index)
  return index + 1 + (length < wordBytes ? length : (length + wordBytes - 1) >> wordShift)
}

/** The length in bytes of the text that begins at `index`. */
export function byteLengthAt(words: readonly number[], index: number): number {
  // `| 0` keeps the calculations with the result in integers.
  return (words[index] as number) | 0
}

/**
 * Whether the memory contains at `start` the text that begins at `index`. The caller makes sure that
 * the memory is long enough.
 */
export function containsText(
  memory: Memory,
  start: number,
  words: readonly number[],
  index: number,
): boolean {
  const length = byteLengthAt(words, index)
  const end = start + length
  let next = index + 1
  let at = start
  if (length < wordBytes) {
    const { bytes } = memory
    for (; at < end; at++) if (bytes[at] !== words[next++]) return false
    return true
  }
  const { view } = memory
  for (; at + wordBytes <= end; at += wordBytes) {
    if (view.getFloat64(at, true) !== words[next++]) return false
  }
  return at === end || view.getFloat64(end - wordBytes, true) === words[next]
}

/** Writes the text that begins at `index` to `start`. Returns the position after it. */
export function writeText(
  memory: Memory,
  start: number,
  words: readonly number[],
  index: number,
): number {
  const length = byteLengthAt(words, index)
  const end = start + length
  let next = index + 1
  let at = start
  if (length < wordBytes) {
    const { bytes } = memory
    for (; at < end; at++) bytes[at] = words[next++] as number
    return end
  }
  const { view } = memory
  for (; at + wordBytes <= end; at += wordBytes) {
    view.setFloat64(at, words[next++] as number, true)
  }
  if (at < end) view.setFloat64(end - wordBytes, words[next] as number, true)
  return end
}
