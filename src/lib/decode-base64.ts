/**
 * The bytes of a text in base64 or base64url, with or without blanks and line breaks; `undefined` if no bytes are
 * written so. `Buffer.from` leaves out what is not valid, so that other readers may find other bytes. The time grows
 * with the length alone.
 */
export function decodeBase64(text: string): Buffer | undefined {
  if (/[^\w+/= \t\n\v\f\r-]/.test(text)) return undefined
  const end = text.indexOf('=')
  const digits = end < 0 ? text : text.slice(0, end)
  if (end >= 0 && /[^= \t\n\v\f\r]/.test(text.slice(end))) return undefined
  const bytes = Buffer.from(digits, 'base64')
  return bytes.length % 3 === 0 && hasLoneDigit(digits) ? undefined : bytes
}

/**
 * Whether digits that decode to a multiple of three bytes have one digit more, which is no byte. With two further
 * digits it makes two bytes; without it they make one.
 */
function hasLoneDigit(digits: string): boolean {
  return Buffer.from(`${digits}AA`, 'base64').length % 3 === 2
}
