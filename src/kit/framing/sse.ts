import type { EventToFrame, FrameEncoder, FrameJoiner, Framing } from '../../contract/framing.ts'
import {
  SseJoiner,
  completeFrame,
  dataLines,
  formatFrame,
  nextBoundary,
  parseFrame,
} from '../../lib/sse.ts'
import { type ByteEdit, applyEdits } from '../../lib/json/edit.ts'
import type { ByteRange } from '../../lib/json/scan.ts'
import { cutInFrame } from './cut-off.ts'

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

/** Several `data:` lines are one text. Each keeps its place if the changed text has as many lines. */
function changeData(frame: Buffer, change: (data: Buffer) => Buffer): Buffer {
  const lines = dataLines(frame)
  const [first] = lines
  if (!first) return frame
  if (lines.length === 1) {
    const data = frame.subarray(first.start, first.end)
    const changed = change(data)
    return changed === data ? frame : applyEdits(frame, [{ ...first, text: changed.toString() }])
  }
  const data = Buffer.from(
    lines.map(({ start, end }) => frame.toString('utf8', start, end)).join('\n'),
  )
  const changed = change(data)
  return changed === data
    ? frame
    : applyEdits(frame, lineEdits(lines, changed.toString().split('\n')))
}

function lineEdits(places: readonly ByteRange[], lines: readonly string[]): ByteEdit[] {
  if (lines.length === places.length)
    return places.map((place, at) => ({ ...place, text: lines[at]! }))
  const { start } = places[0]!
  const { end } = places.at(-1)!
  return [{ start, end, text: lines.join('\ndata: ') }]
}
