import { brokenEvent } from '../../kit/event-json.ts'

/** The longest text that is decoded by hand, in bytes: the runtime is faster for longer ones. */
const maxByHand = 24
const maxAscii = 0x7f

/**
 * Decodes the content of a JSON string, without its quotes. Throws `GatewayError`
 * `upstream_stream_broken` for a malformed escape.
 */
export function decodeText(bytes: Buffer, start: number, end: number): string {
  const text = decodeUtf8(bytes, start, end)
  return text.includes('\\') ? unescape(text) : text
}

function unescape(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    throw brokenEvent()
  }
}

/**
 * Most texts of a stream are short words. Four characters at a time, because one by one would leave
 * too many intermediate strings behind.
 */
function decodeUtf8(bytes: Buffer, start: number, end: number): string {
  if (end - start > maxByHand) return bytes.toString('utf8', start, end)
  let text = ''
  let at = start
  for (; at + 4 <= end; at += 4) {
    const first = bytes[at] as number
    const second = bytes[at + 1] as number
    const third = bytes[at + 2] as number
    const fourth = bytes[at + 3] as number
    if ((first | second | third | fourth) > maxAscii) return bytes.toString('utf8', start, end)
    text += String.fromCharCode(first, second, third, fourth)
  }
  for (; at < end; at++) {
    const byte = bytes[at] as number
    if (byte > maxAscii) return bytes.toString('utf8', start, end)
    text += String.fromCharCode(byte)
  }
  return text
}
