import { checkLines } from './line-limit.ts'

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
