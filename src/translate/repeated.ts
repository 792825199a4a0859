import type { GenerateCodec, JsonObject } from '../codec.ts'
import { parseData, readEvents } from './events-in.ts'
import { backslash, quote, space } from './plain-bytes.ts'
import { stringEnd } from './string-bytes.ts'
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
  /** Members whose values are not compared. */
  readonly #others: readonly string[]
  #isLearned = false
  /** What stands around the text, with gaps for those values. */
  #before: readonly Buffer[] = []
  #after: readonly Buffer[] = []
  #disappointments = 0
  #hasMatched = false
  /** Where the text stands in the frame that was found, as a string of JSON without its quotes. */
  start = 0
  end = 0

  /** The last frame that was found and not asked for since, of accounts that tell totals. */
  #last: { frames: Buffer; at: number; behind: number } | undefined

  constructor(codec: GenerateCodec) {
    const { noise = [], totals = [] } = codec
    this.#codec = codec
    this.#others = [...noise, ...totals]
  }

  /** The position behind the frame at `at`; the same position where the frame must be read. */
  find(frames: Buffer, at: number): number {
    if (!this.#isLearned) return at
    const start = passOver(frames, at, this.#before)
    if (start < 0) return at
    const end = stringEnd(frames, start)
    if (end <= start) return at
    const behind = passOver(frames, end, this.#after)
    if (behind < 0) return at
    this.start = start
    this.end = end
    this.#hasMatched = true
    if (this.#codec.totals) this.#keepLast(frames, at, behind)
    return behind
  }

  #keepLast(frames: Buffer, at: number, behind: number): void {
    this.#last ??= { frames, at, behind }
    this.#last.frames = frames
    this.#last.at = at
    this.#last.behind = behind
  }

  /** The event of the last frame that was found, once, where its totals must be read. */
  takeLast(): JsonObject | undefined {
    const last = this.#last
    if (!last) return undefined
    this.#last = undefined
    return eventIn(last.frames.subarray(last.at, last.behind))
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
    this.#before = withGaps(frame.slice(0, end - text.length + 1), this.#others)
    this.#after = withGaps(frame.slice(end - 1), this.#others)
  }
}

function eventIn(frame: Buffer): JsonObject | undefined {
  let event: JsonObject | undefined
  readEvents(frame, {
    data(data) {
      event = parseData(data)
    },
    done() {},
  })
  return event
}

/** The position behind all of these, or -1; between two of them stands a value. */
function passOver(frames: Buffer, from: number, literals: readonly Buffer[]): number {
  let at = from
  for (let index = 0; index < literals.length; index++) {
    if (index > 0) {
      at = behindValue(frames, at)
      if (at < 0) return -1
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

const digit0 = 0x30
const digit9 = 0x39

/** Where a string ends that begins here and has no escapes, or -1. */
function plainEnd(frames: Buffer, from: number): number {
  for (let at = from; at < frames.length; at++) {
    const byte = frames[at] as number
    if (byte === quote) return at
    if (byte === backslash || byte < space) return -1
  }
  return -1
}

/** Behind a plain string in its quotes or a whole number, or -1. */
function behindValue(frames: Buffer, from: number): number {
  if (frames[from - 1] === quote) return plainEnd(frames, from)
  // No digit may follow a zero at the beginning.
  if (frames[from] === digit0) return from + 1
  let at = from
  while (isDigit(frames[at])) at++
  return at === from ? -1 : at
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= digit0 && byte <= digit9
}
