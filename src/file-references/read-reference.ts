import { addAbortSignal } from 'node:stream'

import type { Caller } from '../contract/request.ts'
import type { Files, InlinedFile } from '../contract/files.ts'
import { detectType } from '../remote/content.ts'
import { essenceOf } from '../lib/media-type.ts'
import { typeByName } from '../storage/media-type.ts'
import { bytesOf } from '../storage/read-opened.ts'

/** How to read an upload. */
interface ReadOptions {
  readonly files: Files
  readonly caller: Caller
  /** The media type that the client states in the request. */
  readonly mediaType: string | undefined
  /** The largest file to read, in bytes. */
  readonly maxBytes: number
  /** Called with the size in bytes before the file is read. Throws, or rejects, to refuse the file. */
  readonly accept: (size: number) => Promise<void> | undefined
  readonly signal: AbortSignal
}

/**
 * Reads a file of the caller by its path. Resolves with `undefined` if it is larger than `maxBytes`.
 * Rejects with `GatewayError` 404 if there is no such file, 503 if its storage fails, or with the
 * error that `accept` throws.
 */
export async function readReference(
  path: string,
  options: ReadOptions,
): Promise<InlinedFile | undefined> {
  const { files, caller, maxBytes, accept, signal } = options
  const { stream, size, type } = await files.open(path, caller)
  if (size > maxBytes) {
    stream.destroy()
    return undefined
  }
  try {
    await accept(size)
  } catch (error) {
    stream.destroy()
    throw error
  }
  const reading = bytesOf({ stream: addAbortSignal(signal, stream), size })
  const bytes = await reading.catch((error: unknown) => {
    signal.throwIfAborted()
    throw error
  })
  const declared = [type, options.mediaType].find((each) => each && essenceOf(each) !== unknownType)
  const known =
    detectType(bytes) ?? (declared && essenceOf(declared)) ?? typeByName(path) ?? unknownType
  return { name: path.slice(path.lastIndexOf('/') + 1), mediaType: known, bytes }
}

/** The media type of files of an unknown type. */
const unknownType = 'application/octet-stream'
