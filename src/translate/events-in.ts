import type { JsonObject } from '../codec.ts'
import { GatewayError } from '../errors.ts'

/** What a run of frames has for a decoder of events. */
export interface EventSink {
  /** Whether all has been said: what follows is not even read. */
  readonly isOver?: boolean
  /** Reads the frame at this position if it knows it. Gives the position behind it, or the same. */
  readKnown?(frames: string, at: number): number
  /** JSON text, and the frame in which it stood. */
  data(data: string, name: string, frame: string): void
  /** `[DONE]`. */
  done(): void
}

/** Reads a run of whole server-sent frames. */
export function readEvents(frames: string, sink: EventSink): void {
  let at = 0
  while (at < frames.length) {
    const behind = sink.readKnown?.(frames, at) ?? at
    at = behind > at ? behind : readFrame(frames, at, sink)
  }
}

/**
 * Most frames have one `event:` line at most and one `data:` line, so they are read line by line,
 * without a list of lines. Gives the position behind the frame.
 */
function readFrame(frames: string, from: number, sink: EventSink): number {
  let name = ''
  let data: string | undefined
  let at = from
  while (at < frames.length) {
    const end = lineEnd(frames, at)
    const stop = frames.charCodeAt(end - 1) === carriageReturn && end > at ? end - 1 : end
    const start = at
    at = end + 1
    if (stop === start) break
    if (frames.startsWith('data:', start)) {
      const value = frames.slice(valueStart(frames, start + 5), stop)
      data = data === undefined ? value : `${data}\n${value}`
    } else if (frames.startsWith('event:', start)) {
      name = frames.slice(valueStart(frames, start + 6), stop)
    }
  }
  if (data !== undefined && !sink.isOver) {
    if (data === '[DONE]') sink.done()
    else sink.data(data, name, frames.slice(from, at))
  }
  return at
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
  throw new GatewayError('upstream_stream_broken', 'The upstream sent a broken event.')
}
