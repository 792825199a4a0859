import { addAbortSignal } from 'node:stream'

import { GatewayError } from '../errors.ts'
import type { Caller } from '../exchange.ts'
import type { Files } from '../files.ts'
import { shownType } from '../remote/index.ts'
import { essenceOf, typeByName } from '../storage/media-type.ts'
import type { HeldFile } from './fields.ts'

export interface ReadOptions {
  readonly files: Files
  readonly caller: Caller
  /** What the client says of its type. */
  readonly mediaType: string | undefined
  /** Larger ones are not read. Bytes. */
  readonly maxBytes: number
  readonly signal: AbortSignal
}

/**
 * A file of the caller's by its path; `undefined` where it is too large. Throws `GatewayError`: 404
 * where there is none, 503 where its storage cannot tell or breaks off.
 */
export async function readNamed(path: string, options: ReadOptions): Promise<HeldFile | undefined> {
  const { files, caller, maxBytes, signal } = options
  const { stream, size, type } = await files.open(path, caller)
  if (size > maxBytes) {
    stream.destroy()
    return undefined
  }
  const chunks: Buffer[] = []
  try {
    for await (const chunk of addAbortSignal(signal, stream)) chunks.push(chunk as Buffer)
  } catch (cause) {
    signal.throwIfAborted()
    throw brokenOff(cause)
  }
  const bytes = Buffer.concat(chunks)
  if (bytes.length !== size) throw brokenOff(undefined)
  const told = [type, options.mediaType].find((each) => each && essenceOf(each) !== untold)
  const known = shownType(bytes) ?? (told && essenceOf(told)) ?? typeByName(path) ?? untold
  return { name: path.slice(path.lastIndexOf('/') + 1), mediaType: known, bytes }
}

/** What servers say who know nothing of a file. */
const untold = 'application/octet-stream'

function brokenOff(cause: unknown): GatewayError {
  if (GatewayError.isInstance(cause)) return cause
  const message = 'An upload of the request cannot be read at the moment.'
  return new GatewayError('storage_unavailable', message, { cause })
}
