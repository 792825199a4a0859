/**
 * Server-sent events as bytes. A frame is the bytes up to and including a blank line. Only
 * `parseFrame` decodes: most frames of a native stream pass undecoded.
 */

import { ByteList } from './byte-list.ts'
import { isWhole } from './json/read.ts'
import type { ByteRange } from './json/scan.ts'

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
   * The rest at the end of the stream: a last frame without its blank line, or an incomplete one.
   */
  flush(): Buffer | undefined {
    return this.pendingBytes === 0 ? undefined : this.#take(nothing)
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

/** A decoded event. Several `data:` lines are joined, as the standard says. */
export interface SseEvent {
  /** From the `event:` line; `''` without one. */
  readonly name: string
  /** `undefined` for a frame of comments only. */
  readonly data: string | undefined
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

const dataField = Buffer.from('data')
const colon = 0x3a
const space = 0x20

/** The values of the `data:` lines of a frame, as byte ranges within it. */
export function dataLines(frame: Buffer): ByteRange[] {
  const ranges: ByteRange[] = []
  let at = 0
  while (at < frame.length) {
    const feed = frame.indexOf(lineFeed, at)
    const next = feed < 0 ? frame.length : feed + 1
    const value = valueStart(frame, at)
    if (value >= 0) ranges.push({ start: value, end: lineEnd(frame, value, next) })
    at = next
  }
  return ranges
}

/** The start of the value of the `data:` line at `at`, or -1 for another line. */
function valueStart(frame: Buffer, at: number): number {
  const end = at + dataField.length
  if (frame[end] !== colon || frame.compare(dataField, 0, dataField.length, at, end) !== 0)
    return -1
  return frame[end + 1] === space ? end + 2 : end + 1
}

function lineEnd(frame: Buffer, from: number, next: number): number {
  let end = next
  if (end > from && frame[end - 1] === lineFeed) end--
  if (end > from && frame[end - 1] === carriageReturn) end--
  return end
}

/** Decodes one frame. */
export function parseFrame(frame: Buffer): SseEvent {
  let name = ''
  let data: string | undefined
  for (const line of frame.toString().split(/\r\n|\n|\r/)) {
    if (line === '' || line.startsWith(':')) continue
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'event') name = value
    else if (field === 'data') data = data === undefined ? value : `${data}\n${value}`
  }
  return { name, data }
}

/** Encodes one event. Its data is a string without line ends, or a value to encode as JSON. */
export function formatFrame(name: string | undefined, data: unknown): string {
  const line = `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
  return name === undefined ? line : `event: ${name}\n${line}`
}

/** Completes a last frame that lacks its blank line; `undefined` if the frame itself was cut off. */
export function completeFrame(rest: Buffer): Buffer | undefined {
  const data = dataOf(rest)
  const isComplete = data === undefined || data.equals(done) || isWhole(data)
  return isComplete ? Buffer.concat([rest, blankLf]) : undefined
}

const done = Buffer.from('[DONE]')

/** The data of a frame; `undefined` for one of comments only. */
function dataOf(frame: Buffer): Buffer | undefined {
  const [only, ...others] = dataLines(frame)
  // To decode a long line takes as long as to read it.
  if (only && others.length === 0 && !frame.includes(carriageReturn))
    return frame.subarray(only.start, only.end)
  const { data } = parseFrame(frame)
  return data === undefined ? undefined : Buffer.from(data)
}
