import type { JsonObject } from '../lib/json/object.ts'
import { GatewayError } from '../contract/errors.ts'
import { nextBoundary } from '../lib/sse.ts'

/** What a run of frames has for a decoder of events. */
export interface EventSink {
  /** Whether all has been said: what follows is not even read. */
  readonly isOver?: boolean
  /** Reads the frame at this position if it knows it. Gives the position behind it, or the same. */
  readKnown?(frames: Buffer, at: number): number
  /** JSON text, and the frame in which it stood. */
  data(data: string, name: string, frame: string): void
  /** `[DONE]`. */
  done(): void
}

/** Reads a run of whole server-sent frames. */
export function readEvents(frames: Buffer, sink: EventSink): void {
  let at = 0
  while (at < frames.length) {
    const behind = sink.readKnown?.(frames, at) ?? at
    if (behind > at) at = behind
    else {
      const end = nextBoundary(frames, at)
      readFrame(frames.toString('utf8', at, end), sink)
      at = end
    }
  }
}

/**
 * Most frames have one `event:` line at most and one `data:` line, so they are read line by line,
 * without a list of lines.
 */
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

/** Throws `GatewayError` where data is no JSON object. */
export function parseData(data: string): JsonObject {
  try {
    const json: unknown = JSON.parse(data)
    if (typeof json === 'object' && json !== null) return json as JsonObject
  } catch {
    // Told below, as any other data that is no object.
  }
  throw brokenEvent()
}

/** Says that what the account sent is no event. */
export function brokenEvent(): GatewayError {
  return new GatewayError('upstream_stream_broken', 'The upstream sent a malformed event.')
}
