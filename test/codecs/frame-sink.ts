import type { FrameSink } from '../../src/contract/codec.ts'

/** Hands on what an encoder writes as text. */
export function framesTo(take: (frames: string) => void): FrameSink {
  return { write: (frames) => take(frames.toString()) }
}
