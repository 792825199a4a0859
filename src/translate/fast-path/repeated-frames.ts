import type { RepeatedEvents } from '../../contract/codec.ts'
import type { JsonObject } from '../../lib/json/object.ts'
import { sse } from '../../kit/framing/sse.ts'
import { parseData, readEvents } from '../read-events.ts'
import { inputBuffer } from './input-buffer.ts'
import { stringEnd } from './json-bytes.ts'
import type { TextCopier } from './text-copier.ts'
import { TextTemplate, locateText, templateValuesOf } from './text-template.ts'

/** The number of templates without a match after which a stream gets no more of them. */
const maxUnmatched = 16

/** In characters. To learn a frame takes longer than to decode it, and long ones are rarely repeated. */
const longestFrame = 64 * 1024

/**
 * Recognizes frames that equal the previous one except for their text, as nearly all frames of a stream
 * do. Such a frame needs neither decoding nor parsing, which is most of the cost of translation. The
 * bytes around the text must be the same, except for the values of members that the codec names as
 * volatile or cumulative.
 */
export class RepeatedFrames {
  readonly #events: RepeatedEvents
  /** Finds the values that are not compared. */
  readonly #ignored: RegExp | undefined
  readonly #isCumulative: boolean
  #template: TextTemplate | undefined
  /** Whether the input buffer contains the frames that are being read. */
  #isLoaded = false
  #unmatched = 0
  #hasMatched = false
  /** The position of the text in the frame found last, as content of a JSON string. */
  start = 0
  end = 0

  /** The frame found last, until `takeLastEvent`, for accounts with cumulative values. */
  #last: { frames: Buffer; start: number; end: number } | undefined

  constructor(events: RepeatedEvents) {
    const { volatile = [], cumulative = [] } = events
    this.#events = events
    this.#ignored = templateValuesOf([...volatile, ...cumulative])
    this.#isCumulative = cumulative.length > 0
  }

  /**
   * Returns the end of the frame at `at` if it repeats the previous one; otherwise `at`. `copier` copies
   * the text in the same pass that finds its end.
   */
  find(frames: Buffer, at: number, copier?: TextCopier): number {
    if (at === 0) this.#isLoaded = false
    const template = this.#template
    if (!template || !this.#load(frames)) return at
    const start = template.textStart(at)
    if (start < 0) return at
    const copied = copier?.copy(inputBuffer.bytes, start) ?? -1
    const end = copied < 0 ? stringEnd(inputBuffer.bytes, start) : copied
    if (end <= start) return at
    const frameEnd = template.frameEnd(end)
    if (frameEnd < 0) return at
    this.start = start
    this.end = end
    this.#hasMatched = true
    if (this.#isCumulative) this.#setLast(frames, at, frameEnd)
    return frameEnd
  }

  #load(frames: Buffer): boolean {
    this.#isLoaded ||= inputBuffer.load(frames)
    return this.#isLoaded
  }

  /** Changes the object in place, because this runs for each frame. */
  #setLast(frames: Buffer, start: number, end: number): void {
    const last = (this.#last ??= { frames, start, end })
    last.frames = frames
    last.start = start
    last.end = end
  }

  /**
   * The event of the frame found last, for accounts with cumulative values. Undefined if no frame was
   * found since the last call.
   */
  takeLastEvent(): JsonObject | undefined {
    const last = this.#last
    if (!last) return undefined
    this.#last = undefined
    return eventIn(last.frames.subarray(last.start, last.end))
  }

  /** Makes the template from a frame that was parsed, and its event. */
  learn(frame: string, event: JsonObject): void {
    this.#template = undefined
    if (this.#hasMatched) this.#unmatched = 0
    this.#hasMatched = false
    if (this.#unmatched > maxUnmatched) return
    const delta = this.#events.textDelta(event)
    if (!delta) return
    this.#unmatched++
    // Words with U+0000 cannot be compared as floating-point numbers.
    if (frame.length > longestFrame || frame.includes('\0')) return
    const place = locateText(delta, frame, (other) => this.#textIn(other))
    if (!place) return
    const { start, end } = place
    this.#template = new TextTemplate(frame.slice(0, start), frame.slice(end), this.#ignored)
  }

  #textIn(frame: string): string | undefined {
    const event = eventIn(Buffer.from(frame))
    return event && this.#events.textDelta(event)?.text
  }
}

function eventIn(frame: Buffer): JsonObject | undefined {
  let event: JsonObject | undefined
  const sink = {
    data(data: string) {
      event = parseData(data)
    },
    done() {},
  }
  readEvents(frame, sink, sse)
  return event
}
