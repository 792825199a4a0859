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

const carriageReturn = 0x0d
const closeBrace = 0x7d
const lineFeed = Buffer.from('\n')
const nextLine = Buffer.from('\ndata: ')

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

/**
 * Several `data:` lines are one text. Each keeps its place if the changed text has as many lines. Bytes are never
 * decoded: those that are no UTF-8 stay as they are.
 */
function changeData(frame: Buffer, change: (data: Buffer) => Buffer): Buffer {
  const places = dataLines(frame)
  const [first] = places
  if (!first) return frame
  const data = textAt(frame, places, first)
  const changed = change(data)
  if (changed === data) return frame
  if (places.length === 1) return replaced(frame, places, [changed])
  const lines = linesOf(changed)
  if (lines.length === places.length) return replaced(frame, places, lines)
  const whole = { start: first.start, end: places.at(-1)!.end }
  return replaced(frame, [whole], [joined(lines, nextLine)])
}

function textAt(frame: Buffer, places: readonly ByteRange[], first: ByteRange): Buffer {
  if (places.length === 1) return frame.subarray(first.start, first.end)
  const lines = places.map(({ start, end }) => frame.subarray(start, end))
  return joined(lines, lineFeed)
}

function joined(lines: readonly Buffer[], between: Buffer): Buffer {
  return Buffer.concat(lines.flatMap((line, at) => (at === 0 ? [line] : [between, line])))
}

function linesOf(text: Buffer): Buffer[] {
  const lines: Buffer[] = []
  let start = 0
  for (let feed = text.indexOf(lineFeed); feed >= 0; feed = text.indexOf(lineFeed, start)) {
    lines.push(text.subarray(start, feed))
    start = feed + 1
  }
  return [...lines, text.subarray(start)]
}

/** The frame with other bytes in places, which are in order. */
function replaced(frame: Buffer, places: readonly ByteRange[], texts: readonly Buffer[]): Buffer {
  const pieces = places.flatMap(({ start }, at) => [
    frame.subarray(places[at - 1]?.end ?? 0, start),
    texts[at]!,
  ])
  return Buffer.concat([...pieces, frame.subarray(places.at(-1)!.end)])
}
