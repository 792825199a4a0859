import { objectAt, parseOrUndefined } from '../../../src/lib/json/read.ts'
import { endOfValue } from '../../../src/lib/json/scan.ts'
import { parseFrame } from '../../../src/lib/sse.ts'

/** In bytes. A longer frame is not parsed a second time: it would hold up other calls. */
export const longFrame = 64 * 1024

/** In bytes. Of a long frame only the first and the last bytes are looked at. */
const edge = 4 * 1024

const space = 0x20

/**
 * A member of the object that a server-sent event has; `undefined` for none. Of a long frame the first one of this
 * name at its end or its beginning, where the members beside a long text are.
 */
export function frameMember(frame: Buffer, name: string): unknown {
  if (frame.length > longFrame) {
    return memberIn(frame.subarray(-edge), name) ?? memberIn(frame.subarray(0, edge), name)
  }
  const event = { json: parseOrUndefined(parseFrame(frame).data ?? '') }
  return objectAt(event, 'json')?.[name]
}

function memberIn(bytes: Buffer, name: string): unknown {
  const token = `"${name}":`
  const at = bytes.indexOf(token)
  // Inside of a text its quotes would be escaped.
  if (at < 0) return undefined
  let start = at + token.length
  while (bytes[start] === space) start++
  return parseOrUndefined(bytes.toString('utf8', start, endOfValue(bytes, start)))
}
