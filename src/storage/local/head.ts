import { read } from 'node:fs'
import { promisify } from 'node:util'

/** The metadata of a file on disk: a line of JSON before the content. */
export interface StoredHead {
  /** Unique per upload. */
  readonly id: string
  readonly path: string
  readonly type: string | undefined
}

/** Larger than the longest path and type with every character escaped. */
const maxHeadBytes = 8 * 1024

const readFrom = promisify(read)

/** Encodes a head. */
export function writeHead({ id, path, type }: StoredHead): Buffer {
  return Buffer.from(`${JSON.stringify({ id, path, type })}\n`)
}

/** Reads the head of an open file. Rejects if the file is not one of a storage. */
export async function readHead(descriptor: number): Promise<StoredHead & { offset: number }> {
  const { buffer, bytesRead } = await readFrom(
    descriptor,
    Buffer.alloc(maxHeadBytes),
    0,
    maxHeadBytes,
    0,
  )
  const end = buffer.subarray(0, bytesRead).indexOf('\n')
  const { id, path, type } = JSON.parse(buffer.toString('utf8', 0, Math.max(end, 0))) as StoredHead
  return { id, path, type, offset: end + 1 }
}
