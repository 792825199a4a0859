import { splitFrames } from '../../../src/lib/sse.ts'

/** In bytes. A longer frame is not parsed a second time: it would hold up other calls. */
export const longFrame = 64 * 1024

/** The last frames of a run, in order, as far as they are short and whole. */
export function shortFramesAtEnd(frames: Buffer): Buffer[] {
  if (frames.length <= longFrame) return splitFrames(frames)
  return splitFrames(frames.subarray(-longFrame)).slice(1)
}
