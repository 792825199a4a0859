import type { GenerateCodec, JsonObject } from '../codec.ts'
import { withGaps } from './template.ts'

/** A stream whose events never repeat is not looked at any longer. */
const mostDisappointments = 16

/**
 * Knows a frame again that is the one before but for its text, as nearly all of a stream are, so that
 * it need not be decoded and parsed: that was most of what translation costs. What is not byte for
 * byte the same around the text is not known.
 */
export class RepeatedFrames {
  readonly #codec: GenerateCodec
  #isLearned = false
  /** What stands around the text, with gaps where members stand that mean nothing. */
  #before: readonly Buffer[] = []
  #after: readonly Buffer[] = []
  #disappointments = 0
  #hasMatched = false
  /** Where the text stands in the frame that was found. */
  start = 0
  end = 0

  constructor(codec: GenerateCodec) {
    this.#codec = codec
  }

  /** The position behind the frame at `at`; the same position where the frame must be read. */
  find(frames: Buffer, at: number): number {
    if (!this.#isLearned) return at
    const start = passOver(frames, at, this.#before)
    if (start < 0) return at
    const end = plainEnd(frames, start)
    if (end <= start) return at
    const behind = passOver(frames, end, this.#after)
    if (behind < 0) return at
    this.start = start
    this.end = end
    this.#hasMatched = true
    return behind
  }

  /** Looks at a frame that had to be parsed, and at the event in it. */
  learn(frame: string, data: string, event: JsonObject): void {
    this.#isLearned = false
    if (this.#disappointments > mostDisappointments) return
    this.#disappointments = this.#hasMatched ? 0 : this.#disappointments + 1
    this.#hasMatched = false
    const piece = this.#codec.pieceOf(event)
    if (!piece) return
    const text = JSON.stringify(piece.text)
    const member = `"${piece.key}":${text}`
    const at = data.indexOf(member)
    // Data of several lines does not stand in its frame as it is.
    const dataAt = frame.lastIndexOf(data)
    if (at < 0 || dataAt < 0 || data.includes(member, at + 1)) return
    const end = dataAt + at + member.length
    this.#isLearned = true
    this.#before = withGaps(frame.slice(0, end - text.length + 1), this.#codec.noise)
    this.#after = withGaps(frame.slice(end - 1), this.#codec.noise)
  }
}

/** The position behind all of these, or -1; between two of them stands a value of no meaning. */
function passOver(frames: Buffer, from: number, literals: readonly Buffer[]): number {
  let at = from
  for (let index = 0; index < literals.length; index++) {
    if (index > 0) {
      const behind = behindValue(frames, at)
      if (behind === at) return -1
      at = behind
    }
    at = behindLiteral(frames, at, literals[index] as Buffer)
    if (at < 0) return -1
  }
  return at
}

/** In steps of JavaScript: a call into the runtime costs more than the hundred bytes of most. */
function behindLiteral(frames: Buffer, from: number, literal: Buffer): number {
  const { length } = literal
  if (from + length > frames.length) return -1
  for (let index = 0; index < length; index++) {
    if (frames[from + index] !== literal[index]) return -1
  }
  return from + length
}

const space = 0x20
const quote = 0x22
const backslash = 0x5c
const digit0 = 0x30
const digit9 = 0x39

/** Where a string ends that begins here, or -1 where it is no plain one: nothing is unescaped here. */
function plainEnd(frames: Buffer, from: number): number {
  for (let at = from; at < frames.length; at++) {
    const byte = frames[at] as number
    if (byte === quote) return at
    if (byte === backslash || byte < space) return -1
  }
  return -1
}

/** Behind a plain string or whole number; where there is neither, nothing is passed over. */
function behindValue(frames: Buffer, from: number): number {
  if (frames[from] === quote) {
    const end = plainEnd(frames, from + 1)
    return end < 0 ? from : end + 1
  }
  // No digit may follow a zero at the beginning.
  if (frames[from] === digit0) return from + 1
  let at = from
  while (isDigit(frames[at])) at++
  return at
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= digit0 && byte <= digit9
}
