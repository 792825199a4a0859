import { GatewayError } from '../contract/errors.ts'
import type { Authenticated } from '../contract/exchange.ts'
import type { Files } from '../contract/files.ts'
import { reserveMemory } from '../kit/reserve-memory.ts'
import { bytesOf, openReferenced, withFieldName } from '../storage/read-opened.ts'

/** The options of `readStored`. */
interface StoredOptions {
  /** Its caller must own the file, and the memory is reserved until it ends. */
  readonly exchange: Authenticated
  /** The client's field with the path, for errors. */
  readonly field: string
  /** In bytes. Default: `largestStored`. */
  readonly limit?: number
}

/** The maximum of bytes that replace paths in one request, because they must fit into memory. */
export const largestStored = 48 * 1024 * 1024

/**
 * The content of an uploaded file, by its path. Throws `GatewayError` that names the field: 404 for an
 * unknown file, 413 above the limit, 503 if the file cannot be read or the memory for uploads is used up.
 */
export async function readStored(
  files: Files,
  path: string,
  { exchange, field, limit = largestStored }: StoredOptions,
): Promise<{ bytes: Buffer; type: string | undefined }> {
  const reference = { path, field }
  const { stream, size, type } = await openReferenced(files, reference, exchange.caller)
  if (size > limit) {
    stream.destroy()
    const message = `The file of \`${field}\` exceeds ${limit} bytes.`
    throw new GatewayError('request_too_large', message, { param: field })
  }
  try {
    await reserveMemory(exchange, size)
  } catch (error) {
    stream.destroy()
    throw error
  }
  return { bytes: await withFieldName(reference, bytesOf({ stream, size })), type }
}
