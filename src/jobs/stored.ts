import { GatewayError } from '../errors.ts'
import type { Caller } from '../exchange.ts'
import type { Files } from '../files.ts'

/** What accounts are told in place of a path has to fit into memory. Bytes. */
const largestStored = 48 * 1024 * 1024

/** All of a file that a client has uploaded, named by its path in `field`. */
export async function readStored(
  files: Files,
  path: string,
  { caller, field }: { readonly caller: Caller; readonly field: string },
): Promise<{ bytes: Buffer; type: string | undefined }> {
  const { stream, size, type } = await files.open(path, caller)
  if (size > largestStored) {
    stream.destroy()
    const message = `The file of \`${field}\` exceeds ${largestStored} bytes.`
    throw new GatewayError('request_too_large', message, { param: field })
  }
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return { bytes: Buffer.concat(chunks), type }
}
