import { hash } from 'node:crypto'

/** Texts up to this length count whole. */
const longest = 8_192

/**
 * The short form of a text for a hash: the text itself up to 8,192 characters, else its length, beginning and end.
 * Names and ids are as long as a body may be, and a hash of many millions of characters holds up every other call.
 */
export function briefly(text: string): string {
  if (text.length <= longest) return text
  const half = longest / 2
  return `${text.length} ${text.slice(0, half)}${text.slice(-half)}`
}

/** The SHA-256 of a text, in hexadecimal digits. */
export function digestOf(text: string): string {
  return hash('sha256', briefly(text), 'hex')
}
