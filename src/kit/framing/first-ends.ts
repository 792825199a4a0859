/** In bytes. The ends of longer frames are kept: to find one again takes a hundred milliseconds. */
const longFrame = 64 * 1024

/** The ends of the first frames of runs, where they are long. */
const ends = new WeakMap<Buffer, number>()

/** Keeps where the first frame of a run ends, for a framing that has to read all of a frame to find its end. */
export function keepFirstEnd(frames: Buffer, end: number): void {
  if (end > longFrame) ends.set(frames, end)
}

/** The end of the first frame of a run, if it is known. */
export function knownFirstEnd(frames: Buffer): number | undefined {
  return frames.length > longFrame ? ends.get(frames) : undefined
}
