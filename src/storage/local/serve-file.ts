import { close, createReadStream } from 'node:fs'
import { Readable } from 'node:stream'

import type { Progress } from '../../contract/exchange.ts'
import type { Reply } from '../../contract/outcome.ts'
import type { ClientRequest } from '../../contract/request.ts'
import { canonicalType, essenceOf, isMarkup } from '../../lib/media-type.ts'
import { type FileRange, readRange } from '../range.ts'
import { type DiskFile, closeFile } from './disk.ts'

/** The members of an exchange that a signed URL uses. */
export interface ServedExchange {
  readonly request: ClientRequest
  readonly progress: Pick<Progress, 'bytesIn' | 'bytesOut'>
}

/**
 * The reply to a `GET` or `HEAD` of a file. The file has the gateway's own origin, so the headers
 * forbid browsers to run its content.
 */
export async function serveFile(
  file: DiskFile,
  { request, progress }: ServedExchange,
): Promise<Reply> {
  const range = rangeOf(file, request)
  if (range === 'unsatisfiable') {
    await closeFile(file.descriptor)
    const headers = { ...headersOf(file), 'content-range': `bytes */${file.size}` }
    return { status: 416, headers, body: '' }
  }
  const length = range ? range.end - range.start + 1 : file.size
  const headers = {
    ...headersOf(file),
    'content-length': String(length),
    ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${file.size}` }),
  }
  const status = range ? 206 : 200
  if (request.method !== 'HEAD') {
    const body = fileContentOf(file, range).on('end', () => (progress.bytesOut = length))
    return { status, headers, body }
  }
  await closeFile(file.descriptor)
  return { status, headers, body: null }
}

/** Streams the content of a file, and closes the file at the end or when destroyed. */
export function fileContentOf({ descriptor, offset, size }: DiskFile, range?: FileRange): Readable {
  const { start, end } = range ?? { start: 0, end: size - 1 }
  if (end >= start) {
    return createReadStream('', { fd: descriptor, start: offset + start, end: offset + end })
  }
  return new Readable({
    read() {
      this.push(null)
    },
    destroy: (error, done) => close(descriptor, (cause) => done(error ?? cause)),
  })
}

/** The requested range. If `if-range` names another version of the file, the whole file is sent. */
function rangeOf(file: DiskFile, { method, headers }: ClientRequest) {
  const known = headers['if-range']
  if (method !== 'GET' || (known !== undefined && known !== tagOf(file))) return undefined
  return readRange(headers.range, file.size)
}

function headersOf(file: DiskFile): Record<string, string> {
  const { type = 'application/octet-stream', path, modifiedAt } = file
  const name = encodeURIComponent(path.slice(path.lastIndexOf('/') + 1)).replace(/['()*]/g, '_')
  return {
    'content-type': canonicalType(type),
    'content-disposition': `${isHarmless(type) ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
    etag: tagOf(file),
    'last-modified': modifiedAt.toUTCString(),
  }
}

function tagOf({ id }: DiskFile): string {
  return `"${id}"`
}

/** Whether browsers show a type without running any of its content. */
function isHarmless(type: string): boolean {
  const essence = essenceOf(type)
  if (isMarkup(essence)) return false
  return /^(?:image|audio|video)\//.test(essence) || essence === 'text/plain'
}
