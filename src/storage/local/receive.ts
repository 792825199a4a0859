import { randomUUID } from 'node:crypto'

import { GatewayError } from '../../contract/errors.ts'
import type { ClientRequest } from '../../contract/request.ts'
import { checkAllowed, essenceOf, isMediaType, typeByName } from '../media-type.ts'
import type { LocalReply } from './visit.ts'
import type { Disk, IncomingFile } from './disk.ts'
import { readPatiently } from './read-patiently.ts'
import type { Verified } from './urls.ts'

export interface ReceiveOptions {
  readonly disk: Disk
  /** Media types and families (`image/*`) that are taken. Absent: all. */
  readonly types: readonly string[] | undefined
  /** The longest silence of a sender, in milliseconds. */
  readonly silenceMs: number
  /** Whether a URL that replaces files is used for the first time. */
  firstUse(grant: Verified): Promise<boolean>
}

/**
 * Takes the bytes of a `PUT` straight to the disk. The file appears when the last one has arrived;
 * of one that is refused, breaks off or does not fit nothing is left.
 */
export async function receiveUpload(
  grant: Verified,
  exchange: LocalReply,
  options: ReceiveOptions,
): Promise<void> {
  try {
    await receiveFile(grant, exchange, options)
  } catch (error) {
    throw fullDisk.has((error as NodeJS.ErrnoException).code ?? '') ? full(error) : error
  }
}

async function receiveFile(
  grant: Verified,
  exchange: LocalReply,
  { disk, types, silenceMs, firstUse }: ReceiveOptions,
): Promise<void> {
  const { request } = exchange
  const { owner, path, overwrite = false, maxBytes = 0 } = grant
  const type = typeOf(grant, request)
  checkAllowed(type, types)
  checkHeaders(request, maxBytes)
  if (!overwrite && (await disk.has(owner, path))) throw taken()
  await using file = await disk.begin({ id: randomUUID(), path, type })
  await fill(file, exchange, maxBytes, silenceMs)
  await file.flush()
  if (overwrite && !(await firstUse(grant))) throw used()
  if (!(await file.publish(owner, { overwrite }))) throw taken()
}

async function fill(
  file: IncomingFile,
  { request, progress }: LocalReply,
  maxBytes: number,
  silenceMs: number,
): Promise<void> {
  for await (const piece of readPatiently(request.stream, silenceMs)) {
    progress.bytesIn += piece.length
    if (progress.bytesIn > maxBytes) throw tooLarge(maxBytes)
    await file.append(piece)
  }
}

/** What was signed; else what the sender says, or the file's name. */
function typeOf({ type, path }: Verified, { headers }: ClientRequest): string | undefined {
  const said = headers['content-type']
  if (type === undefined) return said && isMediaType(said) ? said : typeByName(path)
  if (said === undefined || essenceOf(said) === essenceOf(type)) return type
  throw new GatewayError(
    'url_signature_invalid',
    `This URL is for a file of type ${type}: send it with that as its content-type, and not ${said.slice(0, 100)}.`,
  )
}

function checkHeaders({ headers }: ClientRequest, maxBytes: number): void {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') {
    throw new GatewayError('unsupported_media_type', 'Send the file without Content-Encoding.')
  }
  if (headers['content-range'] !== undefined) {
    throw new GatewayError('invalid_request', 'Send the whole file, without Content-Range.')
  }
  if (Number(headers['content-length']) > maxBytes) throw tooLarge(maxBytes)
}

/** No space, no quota, or a file system's own limit. */
const fullDisk = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

function full(cause: unknown): GatewayError {
  return new GatewayError('storage_full', 'There is no room for this file.', { cause })
}

function tooLarge(maxBytes: number): GatewayError {
  return new GatewayError('request_too_large', `This URL takes at most ${maxBytes} bytes.`)
}

function taken(): GatewayError {
  return new GatewayError(
    'already_exists',
    'There is a file at this path; ask for a URL with `overwrite: true` to replace it.',
  )
}

function used(): GatewayError {
  return new GatewayError('already_exists', 'This URL has been used; ask for another.')
}
