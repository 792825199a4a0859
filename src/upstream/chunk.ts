const carriageReturn = 0x0d
const lineFeed = 0x0a
const digits = Buffer.from('0123456789abcdef')

/** A piece of a chunked body with what stands around it (RFC 9112 7.1). Not for an empty one, which ends the body. */
export function chunkOf(bytes: Buffer): Buffer {
  const { length } = bytes
  const start = headSize(length)
  const chunk = Buffer.allocUnsafe(start + length + 2)
  writeHead(chunk, start, length)
  chunk.set(bytes, start)
  chunk[start + length] = carriageReturn
  chunk[start + length + 1] = lineFeed
  return chunk
}

/** What stands before a piece of this length. */
export function chunkHead(length: number): Buffer {
  const size = headSize(length)
  const head = Buffer.allocUnsafe(size)
  writeHead(head, size, length)
  return head
}

/** What stands behind it. */
export const chunkEnd = Buffer.from('\r\n')

/** Ends the body, which has no trailers. */
export const lastChunk = Buffer.from('0\r\n\r\n')

function headSize(length: number): number {
  let size = 3
  for (let rest = length >>> 4; rest > 0; rest >>>= 4) size++
  return size
}

/** By hand: a string of the length, and its encoding, would cost as much as all the rest. */
function writeHead(target: Buffer, size: number, length: number): void {
  let rest = length
  for (let at = size - 3; at >= 0; at--) {
    target[at] = digits[rest & 15] as number
    rest >>>= 4
  }
  target[size - 2] = carriageReturn
  target[size - 1] = lineFeed
}
