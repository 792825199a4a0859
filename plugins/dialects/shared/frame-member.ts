import { objectAt, parseOrUndefined } from '../../../src/lib/json/read.ts'
import { endOfValue } from '../../../src/lib/json/scan.ts'
import { parseFrame } from '../../../src/lib/sse.ts'

/** In bytes. A longer frame is not parsed a second time: it would hold up other calls. */
export const longFrame = 64 * 1024

/** In bytes. Of a long frame the last and the first bytes are looked at before the others; a value has no more. */
const edge = 4 * 1024

const space = 0x20

/**
 * A member of the object that a server-sent event has; `undefined` for none. Of a long frame the first one of this
 * name at its end, at its beginning, or anywhere: the members beside a long text are at one of both ends as a rule.
 */
export function frameMember(frame: Buffer, name: string): unknown {
  if (frame.length > longFrame) {
    for (const part of [frame.subarray(-edge), frame.subarray(0, edge), frame]) {
      const value = memberIn(part, name)
      if (value !== undefined) return value
    }
    return undefined
  }
  const event = { json: parseOrUndefined(parseFrame(frame).data ?? '') }
  return objectAt(event, 'json')?.[name]
}

function memberIn(bytes: Buffer, name: string): unknown {
  const token = `"${name}":`
  const at = bytes.indexOf(token)
  // Inside of a text its quotes would be escaped.
  if (at < 0) return undefined
  const value = bytes.subarray(at + token.length, at + token.length + edge)
  let start = 0
  while (value[start] === space) start++
  return parseOrUndefined(value.toString('utf8', start, endOfValue(value, start)))
}
