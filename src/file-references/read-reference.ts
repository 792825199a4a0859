import { addAbortSignal } from 'node:stream'

import type { Caller } from '../contract/request.ts'
import type { Files, InlinedFile } from '../contract/files.ts'
import { shownType } from '../remote/content.ts'
import { essenceOf, typeByName } from '../storage/media-type.ts'
import { bytesOf } from '../storage/read-opened.ts'

export interface ReadOptions {
  readonly files: Files
  readonly caller: Caller
  /** What the client says of its type. */
  readonly mediaType: string | undefined
  /** Larger ones are not read. Bytes. */
  readonly maxBytes: number
  /** Told of the size before anything is read. Nothing is where it throws. */
  readonly accept: (size: number) => void
  readonly signal: AbortSignal
}

/**
 * A file of the caller's by its path; `undefined` where it is too large. Throws `GatewayError`: 404
 * where there is none, 503 where its storage cannot tell or breaks off, and what `accept` throws.
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
    accept(size)
  } catch (error) {
    stream.destroy()
    throw error
  }
  const reading = bytesOf({ stream: addAbortSignal(signal, stream), size })
  const bytes = await reading.catch((error: unknown) => {
    signal.throwIfAborted()
    throw error
  })
  const told = [type, options.mediaType].find((each) => each && essenceOf(each) !== untold)
  const known = shownType(bytes) ?? (told && essenceOf(told)) ?? typeByName(path) ?? untold
  return { name: path.slice(path.lastIndexOf('/') + 1), mediaType: known, bytes }
}

/** What servers say who know nothing of a file. */
const untold = 'application/octet-stream'
