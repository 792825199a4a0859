import { GatewayError } from '../errors.ts'
import type { Caller } from '../exchange.ts'
import type { Files } from '../files.ts'

/** An upload that has been looked at before. */
export interface KnownFile {
  readonly path: string
  /** As it was then: what has been promised to whoever gets it. Bytes. */
  readonly size: number
}

/**
 * The bytes of an upload for an account. Whatever has become of it since it was looked at is no
 * fault of the account's: throws `GatewayError` 503 where it is gone, has another size or breaks off.
 */
export async function* readAgain(
  { path, size }: KnownFile,
  files: Files,
  caller: Caller,
): AsyncGenerator<Buffer> {
  const file = await files.open(path, caller).catch((cause: unknown) => {
    throw unavailable(cause)
  })
  if (file.size !== size) {
    file.stream.destroy()
    throw replaced()
  }
  let left = size
  try {
    for await (const chunk of file.stream as AsyncIterable<Buffer>) {
      left -= chunk.length
      if (left < 0) break
      yield chunk
    }
  } catch (cause) {
    throw unavailable(cause)
  }
  if (left !== 0) throw replaced()
}

function unavailable(cause: unknown): GatewayError {
  if (GatewayError.isInstance(cause) && cause.code === 'storage_unavailable') return cause
  const message = 'An upload of the request cannot be read any more.'
  return new GatewayError('storage_unavailable', message, { cause })
}

function replaced(): GatewayError {
  const message = 'An upload of the request was replaced while it was being used.'
  return new GatewayError('storage_unavailable', message)
}
