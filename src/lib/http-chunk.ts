/** Chunks of a body with `transfer-encoding: chunked` (RFC 9112 7.1). */

const carriageReturn = 0x0d
const lineFeed = 0x0a
const digits = Buffer.from('0123456789abcdef')

/** Copies content into a chunk. The content must not be empty: an empty chunk ends the body. */
export function chunkOf(bytes: Buffer): Buffer {
  const { length } = bytes
  const start = headSize(length)
  const end = start + length
  const memory = Buffer.allocUnsafe(end + chunkEnd.length)
  writeHead(memory, start, length)
  memory.set(bytes, start)
  memory[end] = carriageReturn
  memory[end + 1] = lineFeed
  return memory
}

/** The head of a chunk with content of this length. */
export function chunkHead(length: number): Buffer {
  const size = headSize(length)
  const head = Buffer.allocUnsafe(size)
  writeHead(head, size, length)
  return head
}

/** The end of a chunk. */
export const chunkEnd = Buffer.from('\r\n')

/** The last chunk of a body without trailers. */
export const lastChunk = Buffer.from('0\r\n\r\n')

function headSize(length: number): number {
  let size = 3
  for (let rest = length >>> 4; rest > 0; rest >>>= 4) size++
  return size
}

/**
 * Writes the head of a chunk so that it ends at `end`. Returns its start. It writes the digits
 * itself: formatting and encoding a string would cost as much as all the rest.
 */
function writeHead(target: Buffer, end: number, length: number): number {
  target[end - 2] = carriageReturn
  target[end - 1] = lineFeed
  let at = end - 2
  let rest = length
  do {
    target[--at] = digits[rest & 15] as number
    rest >>>= 4
  } while (rest > 0)
  return at
}
