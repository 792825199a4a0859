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
import { alsoUndecoded, countWithin, mostLines, tooManyLines } from './undecoded.ts'
import { changeData, dataOf, readOnOneLine } from './sse-data.ts'
import type { DialectInfo } from '../../contract/dialect-info.ts'
import type { ClientRequest } from '../../contract/request.ts'

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

/** The form of a reply, by its first bytes: server-sent events, a JSON object, or neither. */
type ReplyForm = 'events' | 'object' | 'other'

/** How server-sent events begin, behind blank lines. */
const starts = ['data:', 'event:', 'id:', 'retry:', ':']
/** A byte order mark in UTF-8, as Latin-1. */
const bom = '\u00ef\u00bb\u00bf'
/** The most bytes that may leave the form open: some servers write blanks until their reply is there. */
const longestStart = 1024
/** The first bytes of a reply that may be no stream although its type says so: `{`, a blank or a byte order mark. */
const doubtful: ReadonlySet<number | undefined> = new Set(Buffer.from('{ \t\r\n\u00ef', 'latin1'))

/**
 * Returns the form of a reply; `undefined` while it is open. `isDeclared`: the content type of the reply says
 * server-sent events, so that only a JSON object is no stream.
 */
export function formOf(bytes: Buffer, isDeclared = false): ReplyForm | undefined {
  if (isDeclared && !doubtful.has(bytes[0])) return 'events'
  const start = bytes.toString('latin1', 0, longestStart)
  const text = start.startsWith(bom) ? start.slice(bom.length) : start
  const line = text.replace(/^[\r\n]+/, '')
  if (starts.some((begin) => line.startsWith(begin))) return 'events'
  if (/^[ \t\r\n]*\{/.test(text)) return 'object'
  const isOpen =
    [bom, ...starts].some((begin) => begin.startsWith(line)) || /^[ \t\r\n]*$/.test(text)
  if (isOpen && bytes.length < longestStart) return undefined
  return isDeclared ? 'events' : 'other'
}

/** In bytes. Shorter events are not counted, so that most streams do not pay for the count. */
const uncountedBytes = 64 * 1024

/** In bytes. A longer event stands on few lines: to join the lines of tens of megabytes takes a tenth of a second. */
const longEvent = 8 * 1024 * 1024
/** The most lines of a long event: room for its name, its id and its retry time. */
const linesOfLong = 16

/**
 * Bounds the lines of the event that a stream is in the middle of. Each of LF and CR ends a line, and both may end
 * one.
 */
class LineLimit {
  #feeds = 0
  #returns = 0

  /** Notes a chunk after which `pendingBytes` of an event are there. Throws `GatewayError` for too many lines. */
  add(chunk: Buffer, pendingBytes: number): void {
    if (pendingBytes <= uncountedBytes) return
    this.#feeds += countWithin(chunk, '\n')
    this.#returns += countWithin(chunk, '\r')
    const allowed = pendingBytes > longEvent ? linesOfLong : mostLines
    if (Math.max(this.#feeds, this.#returns) > allowed) throw tooManyLines()
  }

  /** The event is whole. */
  reset(): void {
    this.#feeds = 0
    this.#returns = 0
  }
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

/** The framing of streams to a client of a dialect. */
export function clientFraming(
  { framing = sse }: Pick<DialectInfo, 'framing'>,
  request: Pick<ClientRequest, 'headers' | 'query'>,
): Framing {
  return typeof framing === 'function' ? framing(request) : framing
}

/** The framing of streams from accounts of a dialect. */
export function accountFraming({
  framing,
  upstream,
}: Pick<DialectInfo, 'framing' | 'upstream'>): Framing {
  return upstream?.framing ?? (typeof framing === 'object' ? framing : sse)
}
