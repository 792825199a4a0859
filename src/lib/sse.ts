/**
 * Server-sent events as bytes. A frame is the bytes up to and including a blank line. Only
 * `parseFrame` decodes: most frames of a native stream pass undecoded.
 */

import { ByteList } from './byte-list.ts'
import { type SseEvent, readEvent } from './sse-lines.ts'

export type { SseEvent }

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
