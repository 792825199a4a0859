import type { FrameSink } from '../../src/codec.ts'

/** Hands on what an encoder writes as text. */
export function framesTo(take: (frames: string) => void): FrameSink {
  return {
    write: take,
    writeText({ before, after, end }, text, number) {
      const numbered = end ? `${number}${end.toString()}` : ''
      take(`${before.toString()}${JSON.stringify(text)}${after.toString()}${numbered}`)
    },
  }
}
