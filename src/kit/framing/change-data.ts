import type { Framing } from '../../contract/framing.ts'

/** Changes the data of each frame in a run. Returns the same buffer if `change` changes none. */
export function changeData(
  framing: Framing,
  frames: Buffer,
  change: (data: Buffer) => Buffer,
): Buffer {
  const pieces: Buffer[] = []
  let copied = 0
  for (let start = 0; start < frames.length;) {
    const end = framing.frameEnd(frames, start)
    const frame = frames.subarray(start, end)
    const changed = framing.withData(frame, change)
    if (changed !== frame) {
      pieces.push(frames.subarray(copied, start), changed)
      copied = end
    }
    start = end
  }
  return pieces.length === 0 ? frames : joinChanged([...pieces, frames.subarray(copied)])
}

/** Joins the frames of a run: pieces that no frame changed, and changed frames, alternately. */
function joinChanged(pieces: readonly Buffer[]): Buffer {
  const [before, changed, ...others] = pieces
  const isOne = before?.length === 0 && others.every(({ length }) => length === 0)
  const frames = isOne && changed ? changed : Buffer.concat(pieces)
  if (before?.length === 0 && changed) keepFirstEnd(frames, changed.length)
  return frames
}

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
