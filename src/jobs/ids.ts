import { hash, randomInt } from 'node:crypto'

const digits = '0123456789abcdefghijklmnopqrstuvwxyz'
/** Milliseconds since 1970 in base 36, until the year 5188. */
const timeDigits = 9
const randomDigits = 20
const shape = new RegExp(`^[0-9a-z]{${timeDigits + randomDigits}}$`)

/**
 * An id that sorts by time and cannot be guessed. It consists of lower-case letters and digits, because
 * Google's SDKs read nothing else from the URI of a file. `now` is in milliseconds since 1970.
 */
export function newJobId(now: number): string {
  const time = now.toString(36).padStart(timeDigits, '0')
  const random = Array.from({ length: randomDigits }, () => digits[randomInt(36)])
  return time + random.join('')
}

/**
 * The id of a part of something, by the id of that and a name of the part: always the same, of the same time, and for
 * others as hard to guess as the id.
 */
export function partId(id: string, name: string): string {
  const digest = BigInt(`0x${hash('sha256', `${id} ${name}`)}`)
  return (
    id.slice(0, timeDigits) + digest.toString(36).padStart(randomDigits, '0').slice(-randomDigits)
  )
}

/** Whether a text has the form of a job id. */
export function isJobId(text: string): boolean {
  return shape.test(text)
}

/** The length of every job id in characters. Names may append something to an id. */
export const jobIdLength = timeDigits + randomDigits

/** The id with each digit complemented, so that mirrored ids sort in the opposite order. */
export function mirrored(id: string): string {
  let mirror = ''
  for (const digit of id) mirror += digits[digits.length - 1 - digits.indexOf(digit)]
  return mirror
}
