import type { EventToFrame, FrameEncoder, FrameJoiner, Framing } from '../../contract/framing.ts'
import {
  SseJoiner,
  completeFrame,
  dataLines,
  formatFrame,
  nextBoundary,
  parseFrame,
} from '../../lib/sse.ts'
import { cutInFrame } from './cut-off.ts'

const carriageReturn = 0x0d
const closeBrace = 0x7d
const lineFeed = Buffer.from('\n')

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

/** Several `data:` lines are one text: the first place gets the lines of the new one. */
function changeData(frame: Buffer, change: (data: Buffer) => Buffer): Buffer {
  const lines = dataLines(frame)
  const [first] = lines
  const last = lines.at(-1)
  if (!first || !last) return frame
  const data =
    lines.length === 1
      ? frame.subarray(first.start, first.end)
      : Buffer.concat(
          lines.flatMap(({ start, end }, index) =>
            index === 0 ? [frame.subarray(start, end)] : [lineFeed, frame.subarray(start, end)],
          ),
        )
  const changed = change(data)
  if (changed === data) return frame
  const text =
    lines.length === 1 ? changed : Buffer.from(changed.toString().replaceAll('\n', '\ndata: '))
  return Buffer.concat([frame.subarray(0, first.start), text, frame.subarray(last.end)])
}
