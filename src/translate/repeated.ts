import type { GenerateCodec, JsonObject } from '../codec.ts'
import { parseData, readEvents } from './events-in.ts'
import { run } from './run.ts'
import { stringEnd } from './string-bytes.ts'
import { Template } from './template.ts'

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
  readonly #hasTotals: boolean
  #template: Template | undefined
  /** Whether the frames that are read now stand in `run`. */
  #isLoaded = false
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
    this.#hasTotals = totals.length > 0
  }

  /** The position behind the frame at `at`; the same position where the frame must be read. */
  find(frames: Buffer, at: number): number {
    if (at === 0) this.#isLoaded = false
    const template = this.#template
    if (!template || !this.#load(frames)) return at
    const start = template.textStart(at)
    if (start < 0) return at
    const end = stringEnd(run.bytes, start)
    if (end <= start) return at
    const behind = template.frameEnd(end)
    if (behind < 0) return at
    this.start = start
    this.end = end
    this.#hasMatched = true
    if (this.#hasTotals) this.#keepLast(frames, at, behind)
    return behind
  }

  #load(frames: Buffer): boolean {
    this.#isLoaded ||= run.load(frames)
    return this.#isLoaded
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
    this.#template = undefined
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
    const before = frame.slice(0, end - text.length + 1)
    this.#template = new Template(before, frame.slice(end - 1), this.#others)
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
