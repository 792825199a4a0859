/** Bytes that stand in JSON as they are, written one by one. */

export const newline = 0x0a
export const space = 0x20
export const quote = 0x22
export const backslash = 0x5c
const zero = 0x30
const tilde = 0x7e

/** Of the number of a frame. */
export const mostDigits = 10

/** Whether a byte, or a character, needs neither an escape nor more than itself. */
export function isPlain(code: number): boolean {
  return code >= space && code <= tilde && code !== quote && code !== backslash
}

/** Writes a whole number from 0 to below 2^31, and gives the position behind it. */
export function writeNumber(bytes: Buffer, at: number, number: number): number {
  let behind = at + 1
  for (let power = 10; power <= number; power *= 10) behind++
  let rest = number
  for (let place = behind - 1; place >= at; place--) {
    // Faster than rounding: the result is a whole number for the runtime too.
    const tens = (rest / 10) | 0
    bytes[place] = zero + rest - tens * 10
    rest = tens
  }
  return behind
}
