import { buffer } from 'node:stream/consumers'

import { GatewayError } from '../contract/errors.ts'
import type { Files, OpenedFile } from '../contract/files.ts'
import type { Caller } from '../contract/request.ts'

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

/** An upload as a request names it. */
export interface ReferencedUpload {
  readonly path: string
  /** Where the path stands: `images[1]`. */
  readonly field: string
}

/** Opens it. Throws as `Files.open` does, in words that name field and path. */
export function openReferenced(
  files: Files,
  named: ReferencedUpload,
  caller: Caller,
): Promise<OpenedFile> {
  return withFieldName(named, files.open(named.path, caller))
}

/** What is asked about an upload; a `GatewayError` then names the field, and the path of what is missing. */
export async function withFieldName<T>(named: ReferencedUpload, asked: Promise<T>): Promise<T> {
  return asked.catch((error: unknown) => {
    throw GatewayError.isInstance(error) ? about(named, error) : error
  })
}

function about(named: ReferencedUpload, error: GatewayError): GatewayError {
  const { code, status, headers, retry, cause } = error
  const further = {
    status,
    param: named.field,
    headers,
    cause,
    ...(retry !== undefined && { retry }),
  }
  return new GatewayError(code, `\`${named.field}\`: ${sentenceOf(named, error)}`, further)
}

function sentenceOf({ path }: ReferencedUpload, { code, message }: GatewayError): string {
  if (code !== 'not_found') return message
  return `there is no file \`${shortened(path)}\` of this key.`
}

/** Paths that were given out are shorter. Characters. */
const longestShown = 800

function shortened(path: string): string {
  return path.length > longestShown ? `${path.slice(0, longestShown)}…` : path
}

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
  const message = 'An upload of the request cannot be read any more.'
  return new GatewayError('storage_unavailable', message, { cause })
}

function replaced(): GatewayError {
  const message = 'An upload of the request was replaced while it was being used.'
  return new GatewayError('storage_unavailable', message)
}
