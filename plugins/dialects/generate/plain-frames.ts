import { formatFrame, nextBoundary, parseFrame, splitFrames } from '../../../src/lib/sse.ts'

const prefix = Buffer.from('data: {')

const lineFeed = 0x0a

/**
 * Returns frames with a single `data: ` line, which every official SDK can read. Comments, `event:`
 * lines, several data lines and `[DONE]` each break one of the SDKs (docs/wire/gemini.md 1.5).
 */
export function plainFrames(frames: Buffer): Buffer {
  if (arePlain(frames)) return frames
  const plain = dataOfFrames(frames).map((data) => formatFrame(undefined, data))
  return Buffer.from(plain.join(''))
}

/** Returns the JSON texts of the frames, each on one line. */
function dataOfFrames(frames: Buffer): string[] {
  return splitFrames(frames).flatMap((frame) => {
    const { data } = parseFrame(frame)
    return data === undefined || data === '[DONE]' ? [] : [data.replaceAll('\n', ' ')]
  })
}

function arePlain(frames: Buffer): boolean {
  let start = 0
  while (start < frames.length) {
    const end = nextBoundary(frames, start)
    const isPlain =
      end - start > prefix.length &&
      frames.compare(prefix, 0, prefix.length, start, start + prefix.length) === 0 &&
      frames.indexOf(lineFeed, start) >= end - 3
    if (!isPlain) return false
    start = end
  }
  return true
}

/**
 * A chunk with an empty text, to keep a stream alive. Comments break official SDKs, and because of a chunk
 * without content their chats treat the whole answer as invalid and forget the turn.
 */
export const emptyChunk =
  '{"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"index":0}]}'
