import type { JsonObject } from '../../../src/lib/json/object.ts'
import { insist, isObject } from './reading.ts'

/** One server-sent event; `json` is absent for `[DONE]`. */
export interface ReadFrame {
  readonly name: string
  readonly json: JsonObject | undefined
}

/** Reads a stream as the narrowest of the clients does: whole frames, one line of data in each. */
export function readFrames(wire: string): ReadFrame[] {
  if (wire === '') return []
  insist(wire.endsWith('\n\n'), 'the last frame has no end')
  return wire.slice(0, -2).split('\n\n').flatMap(readFrame)
}

function readFrame(frame: string): ReadFrame[] {
  let name = ''
  let data: string | undefined
  for (const line of frame.split('\n')) {
    if (line.startsWith(':')) continue
    if (line.startsWith('event: ')) name = line.slice(7)
    else {
      insist(line.startsWith('data: '), `a line of a frame is "${line.slice(0, 40)}"`)
      insist(data === undefined, 'a frame has two lines of data')
      data = line.slice(6)
    }
  }
  if (data === undefined) return []
  return [{ name, json: data === '[DONE]' ? undefined : parse(data) }]
}

function parse(data: string): JsonObject {
  let json: unknown
  try {
    json = JSON.parse(data)
  } catch {
    json = undefined
  }
  insist(isObject(json), `data is no object: ${data.slice(0, 80)}`)
  return json
}
