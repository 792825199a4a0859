import { randomBytes } from 'node:crypto'

/** A new id in the style of the providers: a prefix and 24 hexadecimal digits. */
export function newId(prefix: string): string {
  return `${prefix}${randomBytes(12).toString('hex')}`
}

/** The current time in whole seconds since the epoch, as OpenAI writes it. */
export function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
