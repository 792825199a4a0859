const isBlank = new Uint8Array(256)
for (const blank of ' \t\n\v\f\r') isBlank[blank.charCodeAt(0)] = 1

/**
 * A text of ASCII, such as base64, without its blanks and line breaks. Another text with blanks stays as it is. The
 * time grows with the length alone: an expression takes many times as long for a text with many blanks.
 */
export function withoutBlanks(text: string): string {
  const isAscii = Buffer.byteLength(text) === text.length
  if (!isAscii || !/\s/.test(text)) return text
  const bytes = Buffer.from(text, 'latin1')
  let length = 0
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]!
    bytes[length] = byte
    length += 1 - isBlank[byte]!
  }
  return bytes.toString('latin1', 0, length)
}
