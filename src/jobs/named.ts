import type { Reply } from '../exchange.ts'
import type { VideoSample } from '../media/video.ts'
import { essenceOf, isMediaType } from '../storage/media-type.ts'
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
export function named(reply: Reply, { id }: Job, { mediaType }: VideoSample): Reply {
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
