import type { VideoFrame } from './video.ts'

/** What a video is where nobody says otherwise (OpenAI's reference, "Create video"). */
export const usualSize = '720x1280'
export const usualSeconds = '4'

/** The shorter side where nobody says otherwise. Pixels. */
const usualLines = 720

interface Row {
  readonly size: string
  readonly aspectRatio: string
  readonly resolution: string
}

/** Sizes of one dialect in the words of the other; the first that fits is meant. */
const rows: readonly Row[] = [
  { size: '720x1280', aspectRatio: '9:16', resolution: '720p' },
  { size: '1280x720', aspectRatio: '16:9', resolution: '720p' },
  { size: '1024x1792', aspectRatio: '9:16', resolution: '1080p' },
  { size: '1792x1024', aspectRatio: '16:9', resolution: '1080p' },
]

/** The size that is meant, where it can be said so. */
export function frameSizeOf({
  size,
  aspectRatio,
  resolution = '720p',
}: VideoFrame): string | undefined {
  if (size !== undefined) return size
  const row = rows.find((one) => one.aspectRatio === aspectRatio && one.resolution === resolution)
  return row?.size
}

/** The size in pixels that a frame has, also where no dialect has a word for it. */
export function pixelsOf(frame: VideoFrame): string | undefined {
  const { aspectRatio = '', resolution = '' } = frame
  const size = frameSizeOf(frame)
  const [, width, height] = /^(\d{1,2}):(\d{1,2})$/.exec(aspectRatio)?.map(Number) ?? []
  if (size !== undefined || !width || !height) return size
  const [, lines] = /^(\d{3,4})p$/.exec(resolution) ?? []
  const short = resolution === '4k' ? 2160 : Number(lines ?? usualLines)
  const long = Math.round((short * Math.max(width, height)) / Math.min(width, height))
  return width < height ? `${short}x${long}` : `${long}x${short}`
}

/** The frame in the words of aspect ratio and resolution, as far as it can be said so. */
export function shapeOf(frame: VideoFrame): Omit<VideoFrame, 'size'> | undefined {
  if (frame.size === undefined) return frame
  const row = rows.find(({ size }) => size === frame.size)
  if (!row) return undefined
  const { aspectRatio, resolution } = row
  return resolution === '720p' ? { aspectRatio } : { aspectRatio, resolution }
}
