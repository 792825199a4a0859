/**
 * Decodes base64 or base64url, with or without blanks and line breaks; returns `undefined` for an invalid text.
 * `Buffer.from` skips invalid characters, so that other readers may find other bytes. The time grows with the length
 * alone.
 */
export function decodeBase64(text: string): Buffer | undefined {
  const padding = text.indexOf('=')
  const digits = padding < 0 ? text : text.slice(0, padding)
  if (/[^\w+/ \t\n\v\f\r-]/.test(digits)) return undefined
  if (padding >= 0 && /[^= \t\n\v\f\r]/.test(text.slice(padding))) return undefined
  const bytes = Buffer.from(digits, 'base64')
  if (bytes.length % 3 > 0) return bytes
  return isLastDigitAlone(digits, bytes.length) ? undefined : bytes
}

/**
 * Whether the digits end with a single digit beyond the last whole group: without it they decode to as many bytes.
 * To count digits among blanks would take longer than to decode them again.
 */
function isLastDigitAlone(digits: string, length: number): boolean {
  const last = digits.trimEnd().length - 1
  return last >= 0 && Buffer.from(digits.slice(0, last), 'base64').length === length
}
