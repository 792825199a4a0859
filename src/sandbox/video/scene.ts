import { encodeMp4 } from '../media/mp4.ts'
import { paintPicture } from '../media/picture.ts'

/** The settings of a video. Width and height are in pixels. */
export type Scene = { prompt: string; width: number; height: number; seconds: number }

/** Encodes the video of a scene as an MP4 of at least `atLeast` bytes. */
export function encodeScene({ prompt, width, height, seconds }: Scene, atLeast = 0): Buffer {
  const { bars } = paintPicture(prompt, width, height)
  return encodeMp4({ width, height, seconds, bars }, atLeast)
}
