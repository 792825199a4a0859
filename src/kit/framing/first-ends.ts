/** In bytes. The ends of longer frames are kept: to find one again takes a hundred milliseconds. */
const longFrame = 64 * 1024

/** A run of frames. */
interface Run extends Buffer {
  /** Where its first frame ends. Absent: the frame is not long, or its end is not known. */
  firstEnd?: number
}

/** Keeps where the first frame of a run ends, for a framing that has to read all of a frame to find its end. */
export function keepFirstEnd(frames: Run, end: number): void {
  if (end > longFrame) frames.firstEnd = end
}

/** The end of the first frame of a run, if it is known. */
export function knownFirstEnd(frames: Run): number | undefined {
  return frames.length > longFrame ? frames.firstEnd : undefined
}
