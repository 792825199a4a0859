/**
 * Server-sent events as bytes. A frame is what stands between two blank lines. Nothing is decoded
 * here that is not asked for: most frames of a native stream only pass.
 */

const lineFeed = 0x0a
const carriageReturn = 0x0d
const blankLf = Buffer.from('\n\n')
const blankCrLf = Buffer.from('\n\r\n')
const nothing: Buffer = Buffer.alloc(0)

/** Joins the chunks of the network into runs of whole frames. Linear, whatever a frame's size. */
export class FrameJoiner {
  #pending: Buffer[] = []
  #pendingBytes = 0
  /** The last two pending bytes, where a blank line may have begun. */
  #tail = nothing

  /** Bytes of the frame that has not ended yet. */
  get pendingBytes(): number {
    return this.#pendingBytes
  }

  /** The frames that this chunk completes, or `undefined` where it completes none. */
  feed(chunk: Buffer): Buffer | undefined {
    const end = lastBoundary(chunk) || this.#seam(chunk)
    if (end === 0) {
      this.#keep(chunk)
      return undefined
    }
    const frames = this.#take(end === chunk.length ? chunk : chunk.subarray(0, end))
    if (end < chunk.length) this.#keep(chunk.subarray(end))
    return frames
  }

  /** What is left when the stream ends: a last frame without its blank line, or a broken one. */
  flush(): Buffer | undefined {
    return this.#pendingBytes === 0 ? undefined : this.#take(nothing)
  }

  #keep(chunk: Buffer): void {
    this.#pending.push(chunk)
    this.#pendingBytes += chunk.length
    const tail = chunk.length < 2 ? Buffer.concat([this.#tail, chunk]) : chunk
    this.#tail = tail.subarray(-2)
  }

  #take(last: Buffer): Buffer {
    if (this.#pendingBytes === 0) return last
    const frames = Buffer.concat([...this.#pending, last])
    this.#pending = []
    this.#pendingBytes = 0
    this.#tail = nothing
    return frames
  }

  /** A blank line that began in earlier chunks and ends in this one: the position after it. */
  #seam(chunk: Buffer): number {
    if (this.#pendingBytes === 0) return 0
    const end = lastBoundary(Buffer.concat([this.#tail, chunk.subarray(0, 2)]))
    return end > this.#tail.length ? end - this.#tail.length : 0
  }
}

/** The position after the last blank line, or 0. Most chunks end with one: those are not searched. */
function lastBoundary(bytes: Buffer): number {
  const { length } = bytes
  if (bytes[length - 1] === lineFeed && bytes[length - 2] === lineFeed) return length
  const lf = bytes.lastIndexOf(blankLf)
  const crLf = bytes.lastIndexOf(blankCrLf)
  return Math.max(lf < 0 ? 0 : lf + 2, crLf < 0 ? 0 : crLf + 3)
}

/** One event, decoded. Several `data:` lines are joined as the standard says. */
export interface SseEvent {
  /** From the `event:` line, `''` where there is none. */
  readonly name: string
  /** `undefined` for a frame of comments only. */
  readonly data: string | undefined
}

/** Cuts a run of whole frames into frames, blank lines included. */
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

/** Encodes one event whose data is one line of JSON. */
export function formatFrame(name: string | undefined, data: unknown): string {
  const line = `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
  return name === undefined ? line : `event: ${name}\n${line}`
}
