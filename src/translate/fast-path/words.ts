import { newline } from './bytes.ts'

/**
 * Bytes of text as words of eight, which are read, compared and written as floating-point numbers: the
 * runtime's whole numbers of that size are objects, each of which is made anew. Numbers are equal where
 * their bytes are, but for the two zeros and for what is no number. No word of well-formed UTF-8 is the
 * latter, which ends in f0 to ff before 7f or ff, and none without the character zero is a zero.
 */

/** Bytes, and a view of the same. */
export interface Memory {
  readonly bytes: Buffer
  readonly view: DataView
}

const wordShift = 3

const wordBytes = 1 << wordShift

/**
 * Adds the length of a text in bytes, then its words, the last of which may overlap the one before; or
 * each byte of a text that is shorter than a word. Not to a typed array, whose numbers stand apart from
 * all other memory of its stream: reading them was dearer. Pushed one by one, these stand in a row too.
 */
export function addWords(words: number[], text: Buffer): void {
  const { length } = text
  words.push(length)
  if (length < wordBytes) for (const byte of text) words.push(byte)
  else {
    for (let at = 0; at < length; at += wordBytes) {
      words.push(text.readDoubleLE(Math.min(at, length - wordBytes)))
    }
  }
}

/** Where the words end that begin at this index. */
export function behindWords(words: readonly number[], index: number): number {
  const length = lengthAt(words, index)
  return index + 1 + (length < wordBytes ? length : (length + wordBytes - 1) >> wordShift)
}

/** How many bytes the words are that begin at this index. */
export function lengthAt(words: readonly number[], index: number): number {
  // The rest of the calculation stays one of whole numbers.
  return (words[index] as number) | 0
}

/** Whether the words that begin at this index stand at a position, behind which there are bytes enough. */
export function holds(
  memory: Memory,
  start: number,
  words: readonly number[],
  index: number,
): boolean {
  const length = lengthAt(words, index)
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

/** Writes the words that begin at this index, and gives the position behind them. */
export function writeWords(
  memory: Memory,
  start: number,
  words: readonly number[],
  index: number,
): number {
  const length = lengthAt(words, index)
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

/** A longer run of frames is not read here: twice what comes from a socket at once. */
const mostBytes = 128 * 1024

/**
 * The run of frames that is being read, in one place for all streams: what each of them brings along
 * is in none of the processor's caches, and can be compared by words only through a view that would
 * cost as much as it saves.
 */
class Run implements Memory {
  /** Behind the run stands a line feed, which no string contains, and then what was there before. */
  readonly bytes = Buffer.alloc(mostBytes + 1)
  readonly view = new DataView(this.bytes.buffer)
  length = 0

  /** Reads these from now on. Returns whether they were short enough. */
  load(frames: Buffer): boolean {
    if (frames.length > mostBytes) return false
    this.bytes.set(frames)
    this.bytes[frames.length] = newline
    this.length = frames.length
    return true
  }
}

export const frameRun = new Run()
