import { GatewayError } from '../contract/errors.ts'
import type { Framing } from '../contract/framing.ts'
import { eventJson } from '../kit/event-json.ts'
import { sse } from '../kit/framing/sse.ts'
import type { JsonObject } from '../lib/json/object.ts'
import { nextBoundary, readEvent } from '../lib/sse.ts'

/** Receives the events of frames. */
interface EventSink {
  /** Set after the last event: later frames are ignored. */
  readonly isOver?: boolean
  /** The data of one event, which may not be JSON; its name, and whether the framing marks it as an error. */
  data(data: string, name: string, isError?: boolean): void
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
    if (data !== undefined && !sink.isOver) sink.data(data, name, isError)
    start = end
  }
}

function readSse(frames: Buffer, sink: EventSink): void {
  let at = 0
  while (at < frames.length) {
    const end = nextBoundary(frames, at)
    readFrame(frames.toString('utf8', at, end), sink)
    at = end
  }
}

function readFrame(frame: string, sink: EventSink): void {
  const { name, data } = readEvent(frame)
  if (data === undefined || sink.isOver) return
  if (data === '[DONE]') sink.done()
  else sink.data(data, name)
}

/** Parses the data of an event. Throws `GatewayError` if it is not a JSON object. */
export function parseData(data: string): JsonObject {
  const json = eventJson(data)
  if (json instanceof GatewayError) throw json
  return json
}
