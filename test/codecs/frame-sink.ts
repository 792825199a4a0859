import type { FrameSink } from '../../src/contract/codec.ts'

/** Hands on what an encoder writes as text. */
export function framesTo(take: (frames: string) => void): FrameSink {
  return {
    count: 0,
    write: take,
    writeText({ before, after, end }, text) {
      const numbered = end ? `${this.count++}${end.toString()}` : ''
      take(`${before.toString()}${JSON.stringify(text)}${after.toString()}${numbered}`)
    },
  }
}
