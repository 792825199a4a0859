import { type Steps, finish } from './steps.ts'

/**
 * The bytes of a text in base64 or base64url, with or without blanks and line breaks; `undefined` if no bytes are
 * written so. `Buffer.from` leaves out what is not valid, so that other readers may find other bytes. The time grows
 * with the length alone.
 */
export function decodeBase64(text: string): Buffer | undefined {
  return finish(decodeBase64InSteps(text))
}

/** In characters. To check as many takes some milliseconds. */
const windowLength = 4 * 1024 * 1024

/** The same in steps. */
export function* decodeBase64InSteps(text: string): Steps<Buffer | undefined> {
  const padding = text.indexOf('=')
  const end = padding < 0 ? text.length : padding
  let blanks = 0
  for (let from = 0; from < end; from += windowLength) {
    const window = text.slice(from, Math.min(end, from + windowLength))
    if (/[^\w+/ \t\n\v\f\r-]/.test(window)) return undefined
    blanks += blanksIn(window)
    yield
  }
  if (padding >= 0 && /[^= \t\n\v\f\r]/.test(text.slice(padding))) return undefined
  // A digit has six bits: one that remains behind groups of four is no byte.
  if ((end - blanks) % 4 === 1) return undefined
  yield
  return Buffer.from(text.slice(0, end), 'base64')
}

const blank = 0x20

/** The others of a text in base64 are digits, whose codes are higher. */
function blanksIn(text: string): number {
  if (!/[ \t\n\v\f\r]/.test(text)) return 0
  let count = 0
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) <= blank) count++
  return count
}
