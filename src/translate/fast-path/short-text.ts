import { brokenEvent } from '../read-events.ts'

/** So many characters are put together here; decoding a longer run at once costs less. */
const shortest = 24
const mostAscii = 0x7f

/** The text of a string of JSON that stands in these bytes without its quotes. */
export function textOf(bytes: Buffer, start: number, end: number): string {
  const text = decoded(bytes, start, end)
  return text.includes('\\') ? unescaped(text) : text
}

function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    throw brokenEvent()
  }
}

/**
 * Most texts of a stream are short words, which are put together by four characters: one by one leaves
 * too many strings behind.
 */
function decoded(bytes: Buffer, start: number, end: number): string {
  if (end - start > shortest) return bytes.toString('utf8', start, end)
  let text = ''
  let at = start
  for (; at + 4 <= end; at += 4) {
    const first = bytes[at] as number
    const second = bytes[at + 1] as number
    const third = bytes[at + 2] as number
    const fourth = bytes[at + 3] as number
    if ((first | second | third | fourth) > mostAscii) return bytes.toString('utf8', start, end)
    text += String.fromCharCode(first, second, third, fourth)
  }
  for (; at < end; at++) {
    const byte = bytes[at] as number
    if (byte > mostAscii) return bytes.toString('utf8', start, end)
    text += String.fromCharCode(byte)
  }
  return text
}
