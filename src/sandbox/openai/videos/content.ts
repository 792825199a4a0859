import { renderContent } from '../../content.ts'
import { imageEncoders } from '../../media/image.ts'
import { encodeMp4 } from '../../media/mp4.ts'
import { Problem } from '../../problem.ts'
import type { Call, Reply } from '../../provider.ts'
import { choice } from '../../shape.ts'
import type { StoredVideo } from '../../stored.ts'
import { consumeDownloadFailure, isExpired, progressOf } from '../../video/video-job.ts'
import { findVideo, lifetimeSeconds } from './store.ts'

const variantShape = choice('video', 'thumbnail', 'spritesheet')

/** `GET /v1/videos/{id}/content`: the video, its thumbnail or its spritesheet. */
export function getVideoContent({ account, params, query, headers, directives }: Call): Reply {
  const variant = query.get('variant') ?? 'video'
  variantShape(variant, ['variant'])
  const video = findVideo(account, params['id'] ?? '')
  refuseUnready(video)
  const atLeast = directives.big ?? video.job.directives.big
  return renderContent(fileOf(video, variant, atLeast), headers.range)
}

function refuseUnready({ id, job }: StoredVideo): void {
  if (progressOf(job).status !== 'completed' || consumeDownloadFailure(job))
    throw new Problem(404, `Video is not ready yet, use GET /v1/videos/${id} to check status.`)
  if (isExpired(job, lifetimeSeconds))
    throw new Problem(404, `The content of video '${id}' has expired.`)
}

function fileOf(video: StoredVideo, variant: string, atLeast: number | undefined) {
  const { id, prompt, seconds } = video
  const [width = 0, height = 0] = video.size.split('x').map(Number)
  const picture = { text: prompt, width, height }
  switch (variant) {
    case 'thumbnail':
      return { bytes: imageEncoders.webp(picture), ...named(id, 'webp') }
    case 'spritesheet':
      return { bytes: imageEncoders.jpeg(picture), ...named(id, 'jpg') }
    default: {
      const scene = { width, height, seconds: Number(seconds) }
      return { bytes: encodeMp4(scene, atLeast), ...named(id, 'mp4') }
    }
  }
}

const typesByEnding = { webp: 'image/webp', jpg: 'image/jpeg', mp4: 'video/mp4' }

function named(id: string, ending: keyof typeof typesByEnding) {
  return { name: `${id}.${ending}`, type: typesByEnding[ending] }
}
