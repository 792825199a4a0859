import { randomInt } from 'node:crypto'

const digits = '0123456789abcdefghijklmnopqrstuvwxyz'
/** Milliseconds since 1970 in base 36, until the year 5188. */
const timeDigits = 9
const randomDigits = 20
const shape = new RegExp(`^[0-9a-z]{${timeDigits + randomDigits}}$`)

/**
 * An id that sorts by time and cannot be guessed. Small letters and digits only: Google's SDKs take
 * no more than those out of a file's URI.
 */
export function newJobId(now: number): string {
  const time = now.toString(36).padStart(timeDigits, '0')
  const random = Array.from({ length: randomDigits }, () => digits[randomInt(36)])
  return time + random.join('')
}

export function isJobId(text: string): boolean {
  return shape.test(text)
}

/** How many characters every id has, so that something may stand behind one. */
export const jobIdLength = timeDigits + randomDigits

/** The same id with every digit taken from the last one: what was first comes last. */
export function mirrored(id: string): string {
  let mirror = ''
  for (const digit of id) mirror += digits[digits.length - 1 - digits.indexOf(digit)]
  return mirror
}
