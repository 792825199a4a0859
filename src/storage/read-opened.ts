import { buffer } from 'node:stream/consumers'

import { GatewayError } from '../errors.ts'
import type { OpenedFile } from '../files.ts'

/**
 * The bytes of an upload that has been opened. A storage that breaks off or ends early is neither the
 * client's fault nor an account's: throws `GatewayError` 503. Whoever stops before its end closes it.
 */
export async function* readOpened({
  stream,
  size,
}: Pick<OpenedFile, 'stream' | 'size'>): AsyncGenerator<Buffer> {
  let length = 0
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      length += chunk.length
      yield chunk
    }
  } catch (cause) {
    throw brokenOff(cause)
  }
  if (length !== size) throw brokenOff(undefined)
}

/** All of it at once. */
export function bytesOf(opened: Pick<OpenedFile, 'stream' | 'size'>): Promise<Buffer> {
  return buffer(readOpened(opened))
}

function brokenOff(cause: unknown): GatewayError {
  if (GatewayError.isInstance(cause)) return cause
  const message = 'An upload of the request cannot be read at the moment.'
  return new GatewayError('storage_unavailable', message, { cause })
}
