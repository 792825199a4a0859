/** The lines of server-sent events: CR, LF and both together end one. */

import type { ByteRange } from './json/scan.ts'
import { startsWith } from './starts-with.ts'

const lineFeed = 0x0a
const carriageReturn = 0x0d
const colon = 0x3a
const space = 0x20
const dataField = Buffer.from('data:')
const nameField = Buffer.from('event')

/** A decoded event. Several `data:` lines are joined, as the standard says. */
export interface SseEvent {
  /** From the `event:` line; `''` without one. */
  readonly name: string
  /** `undefined` for a frame of comments only. */
  readonly data: string | undefined
}

/** Reads a frame line by line without a list of lines, because most frames have only one or two. */
export function readEvent(frame: string): SseEvent {
  let name = ''
  let data: string | undefined
  const ends = new LineEnds(frame, '\n', '\r')
  for (let at = 0; at < frame.length;) {
    const end = ends.behind(at)
    const ofData = valueOf(frame, 'data', at, end)
    if (ofData !== undefined) data = data === undefined ? ofData : `${data}\n${ofData}`
    else name = valueOf(frame, 'event', at, end) ?? name
    // Between CR and LF is an empty line, which has no meaning.
    at = end + 1
  }
  return { name, data }
}

/** The value of a line of this field; `undefined` for other lines. */
function valueOf(frame: string, field: string, at: number, end: number): string | undefined {
  if (!frame.startsWith(field, at)) return undefined
  const behind = at + field.length
  if (behind === end) return ''
  if (frame.charCodeAt(behind) !== colon) return undefined
  return frame.slice(frame.charCodeAt(behind + 1) === space ? behind + 2 : behind + 1, end)
}

/** The places of values in a frame. */
interface EventLines {
  /** The value of the last `event:` line. */
  readonly name: ByteRange | undefined
  /** The values of the `data:` lines. A line without a colon adds nothing to JSON, and is left out. */
  readonly data: readonly ByteRange[]
}

/** The same as `readEvent` without decoding. */
export function findLines(frame: Buffer): EventLines {
  let name: ByteRange | undefined
  const data: ByteRange[] = []
  const ends = new LineEnds(frame, lineFeed, carriageReturn)
  for (let at = 0; at < frame.length;) {
    const end = ends.behind(at)
    if (startsWith(frame, at, dataField)) {
      data.push({ start: valueStart(frame, at + dataField.length), end })
    } else if (startsWith(frame, at, nameField))
      name = nameIn(frame, at + nameField.length, end) ?? name
    at = end + 1
  }
  return { name, data }
}

/** The value behind a field's name: empty at the end of the line, `undefined` if no colon follows the name. */
function nameIn(frame: Buffer, at: number, end: number): ByteRange | undefined {
  if (at === end) return { start: end, end }
  return frame[at] === colon ? { start: valueStart(frame, at + 1), end } : undefined
}

function valueStart(frame: Buffer, at: number): number {
  return frame[at] === space ? at + 1 : at
}

interface Searched<Sought> {
  readonly length: number
  indexOf(sought: Sought, from: number): number
}

/** Finds the ends of lines, of two kinds. Each is sought once: many of one kind would each look for one of the other. */
class LineEnds<Sought> {
  readonly #frame: Searched<Sought>
  readonly #feed: Sought
  readonly #return: Sought
  #nextFeed = -1
  #nextReturn = -1

  constructor(frame: Searched<Sought>, feed: Sought, carriageReturn: Sought) {
    this.#frame = frame
    this.#feed = feed
    this.#return = carriageReturn
  }

  /** The end of the line at a position, which is never less than the one before. */
  behind(at: number): number {
    if (this.#nextFeed < at) this.#nextFeed = this.#next(this.#feed, at)
    if (this.#nextReturn < at) this.#nextReturn = this.#next(this.#return, at)
    return Math.min(this.#nextFeed, this.#nextReturn)
  }

  #next(sought: Sought, at: number): number {
    const found = this.#frame.indexOf(sought, at)
    return found < 0 ? this.#frame.length : found
  }
}

/** Lines as one text, with a byte between two of them. A copy of each is faster than a buffer of each. */
export function joinLines(frame: Buffer, lines: readonly ByteRange[], between: number): Buffer {
  const length = lines.reduce((sum, { start, end }) => sum + end - start + 1, 0)
  const joined = Buffer.allocUnsafe(length)
  let at = 0
  for (const { start, end } of lines) {
    at += frame.copy(joined, at, start, end)
    joined[at++] = between
  }
  return joined.subarray(0, -1)
}
