/** Pieces of a chunked body (RFC 9112 7.1). */

const carriageReturn = 0x0d
const lineFeed = 0x0a
const digits = Buffer.from('0123456789abcdef')

/** The most bytes that stand before the content of a chunk: eight digits and the end of their line. */
export const beforeContent = 10
/** The bytes that stand behind it. */
export const behindContent = 2

/** A piece of a chunked body with what stands around it. Not for an empty one, which ends the body. */
export function chunkOf(bytes: Buffer): Buffer {
  const { length } = bytes
  const start = headSize(length)
  const memory = Buffer.allocUnsafe(start + length + behindContent)
  memory.set(bytes, start)
  frameChunk(memory, start, start + length)
  return memory
}

/** Writes what stands around content that stands here, and gives the position where the chunk begins. */
function frameChunk(memory: Buffer, start: number, end: number): number {
  memory[end] = carriageReturn
  memory[end + 1] = lineFeed
  return writeHead(memory, start, end - start)
}

/** A chunk that was written where its content stood, so that nothing is copied. */
export class Chunk {
  /** All of it. */
  readonly bytes: Buffer
  /** Of its content. */
  readonly length: number

  /**
   * Around the content that stands here, of which there must be some: `beforeContent` bytes before it
   * and `behindContent` bytes behind it are written over.
   */
  constructor(memory: Buffer, start: number, end: number) {
    this.bytes = memory.subarray(frameChunk(memory, start, end), end + behindContent)
    this.length = end - start
  }

  get content(): Buffer {
    const end = this.bytes.length - behindContent
    return this.bytes.subarray(end - this.length, end)
  }
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

/**
 * Writes the head of a chunk so that it ends here, and gives the position where it begins. By hand: a
 * string of the length, and its encoding, would cost as much as all the rest.
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
