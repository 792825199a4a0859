import { read } from 'node:fs'
import { promisify } from 'node:util'

/** What a file on the disk says of itself, in a line of JSON before its content. */
export interface StoredHead {
  /** Another one for every upload. */
  readonly id: string
  readonly path: string
  readonly type: string | undefined
}

/** The longest path and type, with every character escaped, are shorter. */
const longestHead = 8 * 1024

const readFrom = promisify(read)

export function writeHead({ id, path, type }: StoredHead): Buffer {
  return Buffer.from(`${JSON.stringify({ id, path, type })}\n`)
}

/** Throws where the file is none of a storage's. */
export async function readHead(descriptor: number): Promise<StoredHead & { offset: number }> {
  const { buffer, bytesRead } = await readFrom(
    descriptor,
    Buffer.alloc(longestHead),
    0,
    longestHead,
    0,
  )
  const end = buffer.subarray(0, bytesRead).indexOf('\n')
  const { id, path, type } = JSON.parse(buffer.toString('utf8', 0, Math.max(end, 0))) as StoredHead
  return { id, path, type, offset: end + 1 }
}
