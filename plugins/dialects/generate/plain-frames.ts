import { sse } from '../../../src/kit/framing/sse.ts'
import { nextBoundary, splitFrames } from '../../../src/lib/sse.ts'

const prefix = Buffer.from('data: {')

const dataField = Buffer.from('data: ')
const blankLine = Buffer.from('\n\n')
const done = Buffer.from('[DONE]')

const lineFeed = 0x0a
const space = 0x20

/**
 * Returns frames with a single `data: ` line, which every official SDK can read. Comments, `event:`
 * lines, several data lines and `[DONE]` each break one of the SDKs (docs/wire/gemini.md 1.5).
 */
export function plainFrames(frames: Buffer): Buffer {
  if (arePlain(frames)) return frames
  return Buffer.concat(splitFrames(frames).flatMap(plainFrame))
}

/** The JSON of a frame on one line, not decoded; nothing for a frame without an event. */
function plainFrame(frame: Buffer): Buffer[] {
  let data: Buffer | undefined
  sse.withData(frame, (found) => (data = found))
  if (!data || data.equals(done)) return []
  return [dataField, withoutLineFeeds(data), blankLine]
}

/** Only data that has been joined for this has several lines. */
function withoutLineFeeds(data: Buffer): Buffer {
  for (let at = data.indexOf(lineFeed); at >= 0; at = data.indexOf(lineFeed, at + 1))
    data[at] = space
  return data
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
