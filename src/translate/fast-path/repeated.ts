import type { GenerateCodec } from '../../contract/codec.ts'
import type { JsonObject } from '../../lib/json/object.ts'
import { parseData, readEvents } from '../read-events.ts'
import { Template, textPlaceOf, templateValues } from './template.ts'
import { frameRun } from './words.ts'
import { stringEnd } from './bytes.ts'

/** A stream whose events never repeat is not looked at any longer. */
const mostDisappointments = 16

/** Copies a text while its end is looked for. */
export interface TextCopier {
  /** The position behind the text that begins here, or -1. */
  copy(frames: Buffer, start: number): number
}

/**
 * Knows a frame again that is the one before but for its text, as nearly all of a stream are, so that
 * it need not be decoded and parsed: that was most of what translation costs. Around the text all must
 * be the same byte for byte, but for the values that the codec calls noise or totals.
 */
export class RepeatedFrames {
  readonly #codec: GenerateCodec
  /** Finds the values that are not compared. */
  readonly #others: RegExp | undefined
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
    const { volatile = [], cumulative = [] } = codec
    this.#codec = codec
    this.#others = templateValues([...volatile, ...cumulative])
    this.#hasTotals = cumulative.length > 0
  }

  /**
   * The position behind the frame at `at`; the same position where the frame must be read. `copies` may
   * find the end of its text.
   */
  find(frames: Buffer, at: number, copies?: TextCopier): number {
    if (at === 0) this.#isLoaded = false
    const template = this.#template
    if (!template || !this.#load(frames)) return at
    const start = template.textStart(at)
    if (start < 0) return at
    const copied = copies?.copy(frameRun.bytes, start) ?? -1
    const end = copied < 0 ? stringEnd(frameRun.bytes, start) : copied
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
    this.#isLoaded ||= frameRun.load(frames)
    return this.#isLoaded
  }

  /** It is made once for a run of frames and changed with each. */
  #keepLast(frames: Buffer, at: number, behind: number): void {
    const last = (this.#last ??= { frames, at, behind })
    last.frames = frames
    last.at = at
    last.behind = behind
  }

  /** The event of the last frame that was found, once, where its totals must be read. */
  takeLast(): JsonObject | undefined {
    const last = this.#last
    if (!last) return undefined
    this.#last = undefined
    return eventIn(last.frames.subarray(last.at, last.behind))
  }

  /** Looks at a frame that had to be parsed, and at the event in it. */
  learn(frame: string, event: JsonObject): void {
    this.#template = undefined
    if (this.#hasMatched) this.#disappointments = 0
    this.#hasMatched = false
    if (this.#disappointments > mostDisappointments) return
    const piece = this.#codec.textDelta?.(event)
    if (!piece) return
    this.#disappointments++
    // A template could not tell it from others.
    if (frame.includes('\0')) return
    const place = textPlaceOf(piece, frame, (other) => this.#textIn(other))
    if (!place) return
    const { start, end } = place
    this.#template = new Template(frame.slice(0, start), frame.slice(end), this.#others)
  }

  #textIn(frame: string): string | undefined {
    const event = eventIn(Buffer.from(frame))
    return event && this.#codec.textDelta?.(event)?.text
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
