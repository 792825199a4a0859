import type { JsonObject } from '../codec.ts'
import { GatewayError } from '../errors.ts'

/** What a run of frames has for a decoder of events. */
export interface EventSink {
  /** Whether all has been said: what follows is not even read. */
  readonly isOver?: boolean
  /** JSON text. */
  data(data: string, name: string): void
  /** `[DONE]`. */
  done(): void
}

/**
 * Reads a run of whole server-sent frames. Most have one `event:` line at most and one `data:` line,
 * so they are read line by line, without a list of lines.
 */
export function readEvents(frames: Buffer, sink: EventSink): void {
  const text = frames.toString()
  let name = ''
  let data: string | undefined
  let at = 0
  while (at < text.length) {
    const end = lineEnd(text, at)
    const stop = text.charCodeAt(end - 1) === carriageReturn && end > at ? end - 1 : end
    if (stop === at) {
      if (data !== undefined) hand(data, name, sink)
      name = ''
      data = undefined
    } else if (text.startsWith('data:', at)) {
      const value = text.slice(valueStart(text, at + 5), stop)
      data = data === undefined ? value : `${data}\n${value}`
    } else if (text.startsWith('event:', at)) name = text.slice(valueStart(text, at + 6), stop)
    at = end + 1
  }
  if (data !== undefined) hand(data, name, sink)
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

function hand(data: string, name: string, sink: EventSink): void {
  if (sink.isOver) return
  if (data === '[DONE]') return sink.done()
  sink.data(data, name)
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
