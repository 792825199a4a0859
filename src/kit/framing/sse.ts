import type { EventToFrame, FrameEncoder, FrameJoiner, Framing } from '../../contract/framing.ts'
import {
  SseJoiner,
  completeFrame,
  dataLines,
  formatFrame,
  nextBoundary,
  parseFrame,
} from '../../lib/sse.ts'
import type { ByteRange } from '../../lib/json/scan.ts'
import { cutInFrame } from './cut-off.ts'
import { LineLimit } from './line-limit.ts'

const carriageReturn = 0x0d
const closeBrace = 0x7d

/** Server-sent events. The last frame may lack its blank line if its data is whole JSON. */
export const sse: Framing = {
  mediaTypes: ['text/event-stream'],
  contentType: 'text/event-stream; charset=utf-8',
  keepAlive: ': keep-alive\n\n',
  join: () => new Joiner(),
  frameEnd: nextBoundary,
  endsWhole(frames, end) {
    const beforeBlank = frames[end - 2] === carriageReturn ? end - 5 : end - 3
    return frames[beforeBlank] === closeBrace
  },
  parse: parseFrame,
  withData: changeData,
  encode: () => encoder,
}

class Joiner extends SseJoiner implements FrameJoiner {
  readonly #lines = new LineLimit()

  override feed(chunk: Buffer): Buffer | undefined {
    const frames = super.feed(chunk)
    if (frames) this.#lines.reset()
    else this.#lines.add(chunk, this.pendingBytes)
    return frames
  }

  end(): Buffer | undefined {
    const rest = this.flush()
    if (!rest) return undefined
    const frame = completeFrame(rest)
    if (!frame) throw cutInFrame()
    return frame
  }
}

const encoder: FrameEncoder = {
  frame: ({ name, data }: EventToFrame) => formatFrame(name || undefined, data),
  end: () => '',
}

/** Bytes are never decoded: those that are no UTF-8 stay as they are. */
function changeData(frame: Buffer, change: (data: Buffer) => Buffer): Buffer {
  const places = dataLines(frame)
  const [first] = places
  if (!first) return frame
  if (places.length > 1) return changeLines(frame, places, change)
  const data = frame.subarray(first.start, first.end)
  const changed = change(data)
  if (changed === data) return frame
  return Buffer.concat([frame.subarray(0, first.start), changed, frame.subarray(first.end)])
}

/**
 * Several `data:` lines are one text. Each keeps its place if the changed text has as many lines. Strings with a
 * character for each byte are joined faster than thousands of buffers.
 */
function changeLines(
  frame: Buffer,
  places: readonly ByteRange[],
  change: (data: Buffer) => Buffer,
): Buffer {
  const text = frame.toString('latin1')
  const joined = places.map(({ start, end }) => text.slice(start, end)).join('\n')
  const data = Buffer.from(joined, 'latin1')
  const changed = change(data)
  if (changed === data) return frame
  const lines = changed.toString('latin1').split('\n')
  if (lines.length === places.length) return replaced(text, places, lines)
  const whole = { start: places[0]!.start, end: places.at(-1)!.end }
  return replaced(text, [whole], [lines.join('\ndata: ')])
}

/** The frame with other texts in places, which are in order. */
function replaced(frame: string, places: readonly ByteRange[], texts: readonly string[]): Buffer {
  const pieces = places.flatMap(({ start }, at) => [
    frame.slice(places[at - 1]?.end ?? 0, start),
    texts[at]!,
  ])
  return Buffer.from(pieces.join('') + frame.slice(places.at(-1)!.end), 'latin1')
}
