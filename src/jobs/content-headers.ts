import type { Reply } from '../contract/outcome.ts'
import type { ClientRequest } from '../contract/request.ts'
import type { VideoSample } from '../media/video.ts'
import { essenceOf, isMarkup } from '../lib/media-type.ts'
import { isMediaType } from '../storage/media-type.ts'
import { readRange } from '../storage/range.ts'
import type { Job } from './job.ts'

/** File name extensions by media type. */
const extensions: Readonly<Record<string, string>> = {
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'video/quicktime': 'mov',
  'image/webp': 'webp',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'application/json': 'json',
}

/**
 * Adds the headers of a download: the media type, a file name with the gateway's id, and a policy that
 * keeps browsers from running the file, because it comes from the gateway's own origin.
 */
export function withContentHeaders(reply: Reply, { id }: Job, { mediaType }: VideoSample): Reply {
  const known = [reply.headers['content-type'], mediaType].find((type) => type && isMediaType(type))
  const type = passiveType(known ?? 'video/mp4')
  const extension = extensions[essenceOf(type)] ?? 'bin'
  return {
    ...reply,
    headers: {
      ...reply.headers,
      'content-type': type,
      // The account's own file name contains the upstream id, which clients must not see.
      'content-disposition': `attachment; filename="video_${id}.${extension}"`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    },
  }
}

/** The type, unless a browser could show it as a page; every `xml` type can be a page with scripts. */
function passiveType(type: string): string {
  const essence = essenceOf(type)
  const isMedia = /^(?:video|audio|image)\//.test(essence) && !isMarkup(essence)
  return isMedia || essence === 'application/json' ? type : 'application/octet-stream'
}

/** The reply with these bytes, or with the one range of them that the client requests (RFC 9110, 14). */
export function rangeReply(
  bytes: Buffer,
  request: Pick<ClientRequest, 'method' | 'headers'>,
): Reply {
  const headers = { 'accept-ranges': 'bytes' }
  const { length } = bytes
  const range = readRange(rangeHeaderOf(request), length)
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

/** Without `if-range` requests: the bytes have no validator to compare with. */
function rangeHeaderOf({ method, headers }: Pick<ClientRequest, 'method' | 'headers'>) {
  return method === 'GET' && headers['if-range'] === undefined ? headers.range : undefined
}
