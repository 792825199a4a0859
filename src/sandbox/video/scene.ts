import { encodeMp4 } from '../media/mp4.ts'
import { paintPicture } from '../media/picture.ts'

/** What a video is made from. */
export type Scene = { prompt: string; width: number; height: number; seconds: number }

/** The video of a scene as an MP4, with at least as many bytes as asked for. */
export function encodeScene({ prompt, width, height, seconds }: Scene, atLeast = 0): Buffer {
  const { bars } = paintPicture(prompt, width, height)
  return encodeMp4({ width, height, seconds, bars }, atLeast)
}
