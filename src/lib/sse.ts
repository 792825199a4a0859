import { ByteList } from './byte-list.ts'
import type { ByteRange } from './json/scan.ts'

/**
 * Server-sent events as bytes. A frame is the bytes up to and including a blank line. Only
 * `parseFrame` decodes: most frames of a native stream pass undecoded.
 */

const lineFeed = 0x0a
const carriageReturn = 0x0d
const blankLf = Buffer.from('\n\n')
const blankCrLf = Buffer.from('\n\r\n')
const nothing: Buffer = Buffer.alloc(0)

/** Joins the chunks of a stream into runs of whole frames, in linear time. */
export class SseJoiner {
  readonly #pending = new ByteList()
  /** The last two pending bytes, in which a blank line may begin. */
  #tail = nothing

  /** The number of bytes of the incomplete frame. */
  get pendingBytes(): number {
    return this.#pending.size
  }

  /** Adds a chunk. Returns the frames that it completes; `undefined` for none. */
  feed(chunk: Buffer): Buffer | undefined {
    const end = lastBoundary(chunk) || this.#seam(chunk)
    if (end === 0) {
      this.#buffer(chunk)
      return undefined
    }
    const frames = this.#take(end === chunk.length ? chunk : chunk.subarray(0, end))
    if (end < chunk.length) this.#buffer(chunk.subarray(end))
    return frames
  }

  /**
   * The rest at the end of the stream: a last frame without its blank line, or an incomplete one. `end` comes behind
   * it.
   */
  flush(end = nothing): Buffer | undefined {
    return this.pendingBytes === 0 ? undefined : this.#take(end)
  }

  #buffer(chunk: Buffer): void {
    this.#pending.add(chunk)
    const tail = chunk.length < 2 ? Buffer.concat([this.#tail, chunk]) : chunk
    this.#tail = tail.subarray(-2)
  }

  #take(last: Buffer): Buffer {
    if (this.pendingBytes === 0) return last
    if (last.length > 0) this.#pending.add(last)
    this.#tail = nothing
    return this.#pending.take()
  }

  /** The position after a blank line that began in earlier chunks and ends in this one; else 0. */
  #seam(chunk: Buffer): number {
    if (this.pendingBytes === 0) return 0
    const end = lastBoundary(Buffer.concat([this.#tail, chunk.subarray(0, 2)]))
    return end > this.#tail.length ? end - this.#tail.length : 0
  }
}

/** The position after the last blank line, or 0. Most chunks end with one and need no search. */
function lastBoundary(bytes: Buffer): number {
  const { length } = bytes
  if (bytes[length - 1] === lineFeed && bytes[length - 2] === lineFeed) return length
  const lf = bytes.lastIndexOf(blankLf)
  const crLf = bytes.lastIndexOf(blankCrLf)
  return Math.max(lf < 0 ? 0 : lf + 2, crLf < 0 ? 0 : crLf + 3)
}

/** Splits a run of whole frames into frames, blank lines included. */
export function splitFrames(frames: Buffer): Buffer[] {
  const all: Buffer[] = []
  let start = 0
  while (start < frames.length) {
    const end = nextBoundary(frames, start)
    all.push(frames.subarray(start, end))
    start = end
  }
  return all
}

/** The position after the frame that starts at `start`. */
export function nextBoundary(frames: Buffer, start: number): number {
  let at = frames.indexOf(lineFeed, start)
  while (at >= 0) {
    const next = frames[at + 1] === carriageReturn ? at + 2 : at + 1
    if (frames[next] === lineFeed) return next + 1
    at = frames.indexOf(lineFeed, at + 1)
  }
  return frames.length
}

/** Decodes one frame. */
export function parseFrame(frame: Buffer): SseEvent {
  return readEvent(frame.toString())
}

/** Encodes one event. Its data is a string without line ends, or a value to encode as JSON. */
export function formatFrame(name: string | undefined, data: unknown): string {
  const line = `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
  return name === undefined ? line : `event: ${name}\n${line}`
}

/** The lines of server-sent events: CR, LF and both together end one. */

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

/** Whether the bytes from `start` on begin with `prefix`. */
export function startsWith(frames: Buffer, start: number, prefix: Buffer): boolean {
  for (let index = 0; index < prefix.length; index++) {
    if (frames[start + index] !== prefix[index]) return false
  }
  return true
}
