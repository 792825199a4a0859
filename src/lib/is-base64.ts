import { isUtf8 } from 'node:buffer'

/** In characters. Shorter texts of the same letters may be words. */
const shortestData = 128

const data = /^(?:data:[^,\s]{0,128};base64,)?(?:[a-z\d+/]*|[a-z\d_-]*)={0,2}$/i

/** The number of bytes that are inspected. */
const sample = 768

/**
 * Whether a text is base64 of some length, of bytes that are no text: media, or a signature. Words of the same letters
 * are not: they have not the length, one alphabet, digits and letters of both cases.
 */
export function isBase64(text: string): boolean {
  if (text.length < shortestData || !data.test(text)) return false
  const content = text.slice(text.indexOf(',') + 1)
  if (content.length % 4 !== 0) return false
  const start = content.slice(0, (sample / 3) * 4)
  if (![/[a-z]/, /[A-Z]/, /\d/].every((letters) => letters.test(start))) return false
  return !isText(Buffer.from(start, 'base64'))
}

function isText(bytes: Buffer): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what it finds
  return isUtf8(bytes) && !/[\0-\x08\x0e-\x1f]/.test(bytes.toString())
}
