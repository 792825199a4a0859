import { GatewayError } from '../../contract/errors.ts'

const lineFeed = 0x0a
const carriageReturn = 0x0d
const space = 0x20

/**
 * The data of an event with spaces for its line ends, which mean the same in JSON. Throws `GatewayError` for data with
 * more lines than an event may have.
 */
export function onOneLine(data: string): string {
  checkLines(data)
  return data.replaceAll('\n', ' ').replaceAll('\r', ' ')
}

/** The same for data that is not decoded. */
export function bytesOnOneLine(data: Buffer): Buffer {
  checkLines(data)
  if (!data.includes(lineFeed) && !data.includes(carriageReturn)) return data
  const line = Buffer.from(data)
  replaceAll(line, lineFeed)
  replaceAll(line, carriageReturn)
  return line
}

function replaceAll(bytes: Buffer, byte: number): void {
  for (let at = bytes.indexOf(byte); at >= 0; at = bytes.indexOf(byte, at + 1)) bytes[at] = space
}

/** The most lines of one event. Reading millions of lines takes seconds, and other calls wait meanwhile. */
export const mostLines = 100_000

/** Throws `GatewayError` for the data of an event with too many lines. */
function checkLines(data: string | Buffer): void {
  if (Math.max(countWithin(data, '\n'), countWithin(data, '\r')) > mostLines) throw tooManyLines()
}

/** How often a character is in a text, up to one more than the limit. */
export function countWithin(text: Buffer | string, character: string): number {
  let count = 0
  for (let at = text.indexOf(character); at >= 0 && count <= mostLines; count++) {
    at = text.indexOf(character, at + 1)
  }
  return count
}

export function tooManyLines(): GatewayError {
  return new GatewayError('upstream_invalid_reply', 'A frame of the stream has too many lines.')
}
