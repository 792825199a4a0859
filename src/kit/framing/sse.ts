import type {
  BytesToFrame,
  EventToFrame,
  FrameEncoder,
  FrameJoiner,
  Framing,
} from '../../contract/framing.ts'
import { isWhole } from '../../lib/json/read.ts'
import { SseJoiner, formatFrame, nextBoundary, parseFrame } from '../../lib/sse.ts'
import { cutInFrame } from './cut-off.ts'
import { LineLimit } from './line-limit.ts'
import { changeData, dataOf, readOnOneLine } from './sse-data.ts'
import { alsoUndecoded } from './undecoded.ts'

const carriageReturn = 0x0d
const closeBrace = 0x7d
const done = Buffer.from('[DONE]')
const blankLine = Buffer.from('\n\n')

/** Server-sent events. The last frame may lack its blank line if its data is whole JSON. */
export const sse: Framing = alsoUndecoded(
  {
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
  },
  { read: readOnOneLine },
)

class Joiner extends SseJoiner implements FrameJoiner {
  readonly #lines = new LineLimit()

  override feed(chunk: Buffer): Buffer | undefined {
    const frames = super.feed(chunk)
    if (frames) this.#lines.reset()
    else this.#lines.add(chunk, this.pendingBytes)
    return frames
  }

  end(): Buffer | undefined {
    const frame = this.flush(blankLine)
    const json = frame && jsonOf(frame)
    if (json && !isWhole(json)) throw cutInFrame()
    return frame
  }
}

/** The data of a last frame, which is cut off unless it is whole JSON. */
function jsonOf(frame: Buffer): Buffer | undefined {
  const data = dataOf(frame)
  return data?.equals(done) ? undefined : data
}

const encoder: FrameEncoder = {
  frame: ({ name, data }: EventToFrame) => formatFrame(name || undefined, data),
  frameBytes({ name, data }: BytesToFrame) {
    return [Buffer.from(name ? `event: ${name}\ndata: ` : 'data: '), data, blankLine]
  },
  end: () => '',
}
