import { randomUUID } from 'node:crypto'

import { GatewayError } from '../../contract/errors.ts'
import type { ClientRequest } from '../../contract/request.ts'
import { essenceOf } from '../../lib/media-type.ts'
import type { LeastPace } from '../../kit/body-limits.ts'
import { checkAllowed, isMediaType, typeByName } from '../media-type.ts'
import type { ServedExchange } from './serve-file.ts'
import type { Disk, IncomingFile } from './disk.ts'
import { readBodyInTime } from './request-body.ts'
import type { VerifiedGrant } from './urls.ts'

/** How to receive an upload. */
interface ReceiveOptions {
  readonly disk: Disk
  /** The accepted media types, also as `image/*`. Absent: all. */
  readonly types: readonly string[] | undefined
  /** The least speed of the client. */
  readonly pace: LeastPace
  /** Records the use of a URL that replaces files; resolves with whether this is the first use. */
  firstUse(grant: VerifiedGrant): Promise<boolean>
}

/**
 * Writes the body of a `PUT` to disk and publishes the file once it is complete. A refused or
 * incomplete upload leaves nothing behind. Rejects with `GatewayError`.
 */
export async function receiveUpload(
  grant: VerifiedGrant,
  exchange: ServedExchange,
  options: ReceiveOptions,
): Promise<void> {
  try {
    await receiveFile(grant, exchange, options)
  } catch (error) {
    throw fullDisk.has((error as NodeJS.ErrnoException).code ?? '') ? storageFull(error) : error
  }
}

async function receiveFile(
  grant: VerifiedGrant,
  exchange: ServedExchange,
  { disk, types, pace, firstUse }: ReceiveOptions,
): Promise<void> {
  const { request } = exchange
  const { owner, path, overwrite = false, maxBytes = 0 } = grant
  const type = typeOf(grant, request)
  checkAllowed(type, types)
  checkHeaders(request, maxBytes)
  if (!overwrite && (await disk.has(owner, path))) throw pathTaken()
  request.askForBody?.()
  await using file = await disk.begin({ id: randomUUID(), path, type })
  await fill(file, exchange, maxBytes, pace)
  await file.flush()
  if (overwrite && !(await firstUse(grant))) throw urlUsed()
  if (!(await file.publish(owner, { overwrite }))) throw pathTaken()
}

async function fill(
  file: IncomingFile,
  { request, progress }: ServedExchange,
  maxBytes: number,
  pace: LeastPace,
): Promise<void> {
  for await (const piece of readBodyInTime(request.stream, pace)) {
    progress.bytesIn += piece.length
    if (progress.bytesIn > maxBytes) throw tooLarge(maxBytes)
    await file.append(piece)
  }
}

/** The media type: the signed one, else the request's, else one by the file's extension. */
function typeOf({ type, path }: VerifiedGrant, { headers }: ClientRequest): string | undefined {
  const stated = headers['content-type']
  if (type === undefined) return stated && isMediaType(stated) ? stated : typeByName(path)
  if (stated === undefined || essenceOf(stated) === essenceOf(type)) return type
  throw new GatewayError(
    'url_signature_invalid',
    `This URL is for a file of type ${type}: send that type as \`content-type\`, not ${stated.slice(0, 100)}.`,
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

/** Error codes for no space, no quota, and the file system's own size limit. */
const fullDisk = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

function storageFull(cause: unknown): GatewayError {
  return new GatewayError('storage_full', 'The storage has no space for this file.', { cause })
}

function tooLarge(maxBytes: number): GatewayError {
  return new GatewayError('request_too_large', `This URL accepts at most ${maxBytes} bytes.`)
}

function pathTaken(): GatewayError {
  return new GatewayError(
    'already_exists',
    'A file exists at this path. Request a URL with `overwrite: true` to replace it.',
  )
}

function urlUsed(): GatewayError {
  return new GatewayError('already_exists', 'This URL has already been used. Request another one.')
}
