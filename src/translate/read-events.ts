import { type JsonObject, TooMuchJson, parseWithin } from '../lib/json/object.ts'
import { GatewayError } from '../contract/errors.ts'
import { tooMuchInEvent } from '../kit/too-deep.ts'
import type { Framing } from '../contract/framing.ts'
import { sse } from '../kit/framing/sse.ts'
import { nextBoundary } from '../lib/sse.ts'

/** Receives the events of frames. */
interface EventSink {
  /** Set after the last event: later frames are ignored. */
  readonly isOver?: boolean
  /** Reads the frame at this position and returns its end; returns the position to have it parsed. */
  readKnown?(frames: Buffer, at: number): number
  /**
   * The data of one event, which may not be JSON; its name, the server-sent frame that contains it, and
   * whether the framing marks it as an error.
   */
  data(data: string, name: string, frame: string, isError?: boolean): void
  /** The frame's data is `[DONE]`. */
  done(): void
  /** The frame that ends the stream, see `Framing.hasEnd`. */
  ended?(): void
}

/** Reads one or more whole frames. */
export function readEvents(frames: Buffer, sink: EventSink, framing: Framing): void {
  if (framing === sse) readSse(frames, sink)
  else readFramed(frames, sink, framing)
}

function readFramed(frames: Buffer, sink: EventSink, framing: Framing): void {
  for (let start = 0; start < frames.length;) {
    const end = framing.frameEnd(frames, start)
    const { name, data, isEnd, isError } = framing.parse(frames.subarray(start, end))
    if (isEnd) sink.ended?.()
    if (data !== undefined && !sink.isOver) sink.data(data, name, '', isError)
    start = end
  }
}

function readSse(frames: Buffer, sink: EventSink): void {
  let at = 0
  while (at < frames.length) {
    const knownEnd = sink.readKnown?.(frames, at) ?? at
    if (knownEnd > at) at = knownEnd
    else {
      const end = nextBoundary(frames, at)
      readFrame(frames.toString('utf8', at, end), sink)
      at = end
    }
  }
}

/** Reads line by line without a list of lines, because most frames have only one or two. */
function readFrame(frame: string, sink: EventSink): void {
  let name = ''
  let data: string | undefined
  for (let at = 0; at < frame.length;) {
    const end = lineEnd(frame, at)
    const stop = frame.charCodeAt(end - 1) === carriageReturn && end > at ? end - 1 : end
    if (frame.startsWith('data:', at)) {
      const value = frame.slice(valueStart(frame, at + 5), stop)
      data = data === undefined ? value : `${data}\n${value}`
    } else if (frame.startsWith('event:', at)) name = frame.slice(valueStart(frame, at + 6), stop)
    at = end + 1
  }
  if (data === undefined || sink.isOver) return
  if (data === '[DONE]') sink.done()
  else sink.data(data, name, frame)
}

const carriageReturn = 0x0d
const space = 0x20

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

function valueStart(text: string, at: number): number {
  return text.charCodeAt(at) === space ? at + 1 : at
}

/** Parses the data of an event. Throws `GatewayError` if it is not a JSON object. */
export function parseData(data: string): JsonObject {
  try {
    const json = parseWithin(data)
    if (typeof json === 'object' && json !== null) return json as JsonObject
  } catch (error) {
    if (error instanceof TooMuchJson) throw tooMuchInEvent()
    // Handled below, like JSON that is not an object.
  }
  throw brokenEvent()
}

/** The error for an event that cannot be read. */
export function brokenEvent(): GatewayError {
  return new GatewayError('upstream_stream_broken', 'The upstream sent a malformed event.')
}
