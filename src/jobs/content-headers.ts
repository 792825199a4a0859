import type { Reply } from '../contract/outcome.ts'
import type { ClientRequest } from '../contract/request.ts'
import type { VideoSample } from '../media/video.ts'
import { essenceOf, isMediaType } from '../storage/media-type.ts'
import { readRange } from '../storage/range.ts'
import type { Job } from './job.ts'

const endings: Readonly<Record<string, string>> = {
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'video/quicktime': 'mov',
  'image/webp': 'webp',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'application/json': 'json',
}

/**
 * A file with what it is, called by the gateway's id. The account's other headers stand as far as they
 * may; what it did not say is added. It comes from the gateway's own origin, so a browser is told to run
 * nothing that is in it.
 */
export function withContentHeaders(reply: Reply, { id }: Job, { mediaType }: VideoSample): Reply {
  const told = [reply.headers['content-type'], mediaType].find((one) => one && isMediaType(one))
  const type = harmless(told ?? 'video/mp4')
  const ending = endings[essenceOf(type)] ?? 'bin'
  return {
    ...reply,
    headers: {
      ...reply.headers,
      'content-type': type,
      // The account's own name for it has its own id in it, which is no business of clients.
      'content-disposition': `attachment; filename="video_${id}.${ending}"`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    },
  }
}

/** Nothing that a browser could take for a page. */
function harmless(type: string): string {
  const essence = essenceOf(type)
  const isMedia = /^(?:video|audio|image)\//.test(essence) && essence !== 'image/svg+xml'
  return isMedia || essence === 'application/json' ? type : 'application/octet-stream'
}

/** Bytes that are here, or the one range of them that the client asks for (RFC 9110, 14). */
export function rangeReply(
  bytes: Buffer,
  request: Pick<ClientRequest, 'method' | 'headers'>,
): Reply {
  const headers = { 'accept-ranges': 'bytes' }
  const { length } = bytes
  const range = readRange(wantedOf(request), length)
  if (range === undefined) return { status: 200, headers, body: bytes }
  if (range === 'unsatisfiable') {
    return { status: 416, headers: { 'content-range': `bytes */${length}` }, body: null }
  }
  const { start, end } = range
  return {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${start}-${end}/${length}` },
    body: bytes.subarray(start, end + 1),
  }
}

/** These bytes have no name that a client could know the beginning of by. */
function wantedOf({ method, headers }: Pick<ClientRequest, 'method' | 'headers'>) {
  return method === 'GET' && headers['if-range'] === undefined ? headers.range : undefined
}
