import type { Framing } from '../../contract/framing.ts'

/** The data of the frames that are plain events, in a framing that distinguishes errors from them. */
export function plainEvents(framing: Framing, frames: Buffer): string[] {
  const found: string[] = []
  for (let start = 0; start < frames.length;) {
    const end = framing.frameEnd(frames, start)
    const frame = frames.subarray(start, end)
    const { name, data } = framing.parse(frame)
    if (data !== undefined && isPlain(framing, frame, { name, data })) found.push(data)
    start = end
  }
  return found
}

function isPlain(framing: Framing, frame: Buffer, event: { name: string; data: string }): boolean {
  const written = (isError: boolean) =>
    Buffer.from(framing.encode().frame({ ...event, isError }) as Buffer)
  return frame.equals(written(false)) && !frame.equals(written(true))
}
