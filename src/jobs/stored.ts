import { GatewayError } from '../errors.ts'
import type { Caller } from '../exchange.ts'
import type { Files } from '../files.ts'

export interface StoredOptions {
  readonly caller: Caller
  /** Where the path stands, for errors. */
  readonly field: string
  /** In bytes; as large as everything that a request may name where absent. */
  readonly limit?: number
}

/** What accounts are told in place of paths has to fit into memory. Bytes. */
export const largestStored = 48 * 1024 * 1024

/** All of a file that a client has uploaded, named by its path in `field`. */
export async function readStored(
  files: Files,
  path: string,
  { caller, field, limit = largestStored }: StoredOptions,
): Promise<{ bytes: Buffer; type: string | undefined }> {
  const { stream, size, type } = await files.open(path, caller)
  if (size > limit) {
    stream.destroy()
    const message = `The file of \`${field}\` exceeds ${limit} bytes.`
    throw new GatewayError('request_too_large', message, { param: field })
  }
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return { bytes: Buffer.concat(chunks), type }
}
