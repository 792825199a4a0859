/** So many characters are put together one by one; decoding a longer run at once costs less. */
const shortest = 12

/** Text of UTF-8. Most texts of a stream are short words. */
export function textOf(bytes: Buffer, start: number, end: number): string {
  if (end - start > shortest) return bytes.toString('utf8', start, end)
  let text = ''
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number
    if (byte > 0x7f) return bytes.toString('utf8', start, end)
    text += String.fromCharCode(byte)
  }
  return text
}
