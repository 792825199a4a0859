import type { VideoFrame } from './video.ts'

/** The default size, in pixels (OpenAI's reference, "Create video"). */
export const usualSize = '720x1280'
/** The default duration, in seconds (the same reference). */
export const usualSeconds = '4'

/** The longest duration of a request, in seconds; each account has its own limit below it. */
export const maxSeconds = 9_999

/** The default of the shorter side, in pixels. */
const defaultLines = 720

interface Row {
  readonly size: string
  readonly aspectRatio: string
  readonly resolution: string
}

/** Sizes, and the aspect ratio and resolution of each. The first match counts. */
const rows: readonly Row[] = [
  { size: '720x1280', aspectRatio: '9:16', resolution: '720p' },
  { size: '1280x720', aspectRatio: '16:9', resolution: '720p' },
  { size: '1024x1792', aspectRatio: '9:16', resolution: '1080p' },
  { size: '1792x1024', aspectRatio: '16:9', resolution: '1080p' },
]

/** The size of a frame; `undefined` where no size in pixels corresponds to it. */
export function frameSizeOf({
  size,
  aspectRatio,
  resolution = '720p',
}: VideoFrame): string | undefined {
  if (size !== undefined) return size
  const row = rows.find((one) => one.aspectRatio === aspectRatio && one.resolution === resolution)
  return row?.size
}

/** The size of a frame in pixels, also where no dialect has such a size. `undefined` if unknown. */
export function pixelsOf(frame: VideoFrame): string | undefined {
  const { aspectRatio = '', resolution = '' } = frame
  const size = frameSizeOf(frame)
  const [, width, height] = /^(\d{1,2}):(\d{1,2})$/.exec(aspectRatio)?.map(Number) ?? []
  if (size !== undefined || !width || !height) return size
  const [, lines] = /^(\d{3,4})p$/.exec(resolution) ?? []
  const short = resolution === '4k' ? 2160 : Number(lines ?? defaultLines)
  const long = Math.round((short * Math.max(width, height)) / Math.min(width, height))
  return width < height ? `${short}x${long}` : `${long}x${short}`
}

/** A frame as aspect ratio and resolution; `undefined` where none corresponds to its size. */
export function shapeOf(frame: VideoFrame): Omit<VideoFrame, 'size'> | undefined {
  if (frame.size === undefined) return frame
  const row = rows.find(({ size }) => size === frame.size)
  if (!row) return undefined
  const { aspectRatio, resolution } = row
  return resolution === '720p' ? { aspectRatio } : { aspectRatio, resolution }
}
