import { buffer } from 'node:stream/consumers'

import { GatewayError } from '../contract/errors.ts'
import type { Files, OpenedFile } from '../contract/files.ts'
import type { Caller } from '../contract/request.ts'

/**
 * Reads an opened upload. Throws `GatewayError` 503 if the storage fails or the file ends early, which
 * is the fault of neither the client nor an account. Stopping the iteration closes the stream.
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
    throw readFailed(cause)
  }
  if (length !== size) throw readFailed(undefined)
}

/** Reads an opened upload into memory. Rejects as `readOpened` throws. */
export function bytesOf(opened: Pick<OpenedFile, 'stream' | 'size'>): Promise<Buffer> {
  return buffer(readOpened(opened))
}

function readFailed(cause: unknown): GatewayError {
  if (GatewayError.isInstance(cause)) return cause
  const message = 'An upload of the request cannot be read at the moment.'
  return new GatewayError('storage_unavailable', message, { cause })
}

/** An upload that a request names. */
export interface ReferencedUpload {
  readonly path: string
  /** The field that contains the path: `images[1]`. */
  readonly field: string
}

/** Opens an upload that a request names. Rejects as `Files.open` does; messages name the field. */
export function openReferenced(
  files: Files,
  upload: ReferencedUpload,
  caller: Caller,
): Promise<OpenedFile> {
  return withFieldName(upload, files.open(upload.path, caller))
}

/**
 * Adds the field of an upload to the `GatewayError` that `promise` may reject with, and its path to a
 * 404.
 */
export async function withFieldName<T>(upload: ReferencedUpload, promise: Promise<T>): Promise<T> {
  return promise.catch((error: unknown) => {
    throw GatewayError.isInstance(error) ? withField(upload, error) : error
  })
}

function withField(upload: ReferencedUpload, error: GatewayError): GatewayError {
  const { code, status, headers, retry, cause } = error
  const details = {
    status,
    param: upload.field,
    headers,
    cause,
    ...(retry !== undefined && { retry }),
  }
  return new GatewayError(code, `\`${upload.field}\`: ${sentenceOf(upload, error)}`, details)
}

function sentenceOf({ path }: ReferencedUpload, { code, message }: GatewayError): string {
  if (code !== 'not_found') return message
  return `this API key has no file \`${shorten(path)}\`.`
}

/** The most characters of a path in a message; issued paths are shorter. */
const maxShownLength = 800

function shorten(path: string): string {
  return path.length > maxShownLength ? `${path.slice(0, maxShownLength)}…` : path
}

/** An upload that was opened before. */
export interface KnownFile {
  readonly path: string
  /** Its size then, in bytes; the request to the account states this size. */
  readonly size: number
}

/**
 * Reads an upload again, to send it to an account. Throws `GatewayError` 503, which does not count
 * against the account, if the file is gone, has another size or cannot be read.
 */
export async function* rereadFile(
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
  const message = 'An upload of the request can no longer be read.'
  return new GatewayError('storage_unavailable', message, { cause })
}

function replaced(): GatewayError {
  const message = 'An upload of the request was replaced while the request was in progress.'
  return new GatewayError('storage_unavailable', message)
}
