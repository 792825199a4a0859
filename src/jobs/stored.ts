import { GatewayError } from '../contract/errors.ts'
import type { Authenticated } from '../contract/exchange.ts'
import type { Files } from '../contract/files.ts'
import { reserveMemory } from '../kit/reserve-memory.ts'
import { bytesOf, openReferenced, withFieldName } from '../storage/read-opened.ts'

export interface StoredOptions {
  /** Its caller has to own the file, and it holds the memory. */
  readonly exchange: Authenticated
  /** Where the path stands, for errors. */
  readonly field: string
  /** In bytes; as large as everything that a request may name where absent. */
  readonly limit?: number
}

/** What accounts are told in place of paths has to fit into memory. Bytes. */
export const largestStored = 48 * 1024 * 1024

/**
 * All of a file that a client has uploaded, named by its path in `field`. Throws `GatewayError` in
 * words that name it: 404 where there is none, 413 above the limit, 503 where it cannot be read or other
 * requests have taken all room.
 */
export async function readStored(
  files: Files,
  path: string,
  { exchange, field, limit = largestStored }: StoredOptions,
): Promise<{ bytes: Buffer; type: string | undefined }> {
  const named = { path, field }
  const { stream, size, type } = await openReferenced(files, named, exchange.caller)
  if (size > limit) {
    stream.destroy()
    const message = `The file of \`${field}\` exceeds ${limit} bytes.`
    throw new GatewayError('request_too_large', message, { param: field })
  }
  try {
    reserveMemory(exchange, size)
  } catch (error) {
    stream.destroy()
    throw error
  }
  return { bytes: await withFieldName(named, bytesOf({ stream, size })), type }
}
