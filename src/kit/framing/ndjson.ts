import type { FrameEncoder, FrameJoiner, Framing } from '../../contract/framing.ts'
import { ByteList } from '../../lib/byte-list.ts'
import { isWhole } from '../../lib/json/read.ts'
import { cutInFrame } from './cut-off.ts'
import { alsoUndecoded, bytesOnOneLine } from './undecoded.ts'

const lineFeed = 0x0a
const carriageReturn = 0x0d
const closeBrace = 0x7d
const lineEnd = Buffer.from('\n')

/**
 * JSON on lines of their own (ndjson, JSON Lines). Events have no names. The last line may lack its line feed if it
 * is whole JSON.
 */
export const ndjson: Framing = alsoUndecoded(
  {
    mediaTypes: [
      'application/x-ndjson',
      'application/ndjson',
      'application/jsonl',
      'application/jsonlines',
    ],
    contentType: 'application/x-ndjson',
    // White space in front of the next line: clients parse each line, and an empty one is no JSON.
    keepAlive: ' ',
    join: () => new LineJoiner(),
    frameEnd(frames, start) {
      const feed = frames.indexOf(lineFeed, start)
      return feed < 0 ? frames.length : feed + 1
    },
    endsWhole(frames, end) {
      const last = frames[end - 2] === carriageReturn ? end - 3 : end - 2
      return frames[last] === closeBrace
    },
    parse(frame) {
      const data = frame.toString().trim()
      return { name: '', data: data === '' ? undefined : data }
    },
    withData(frame, change) {
      const end = frame.at(-1) === lineFeed ? frame.length - 1 : frame.length
      const data = frame.subarray(0, end)
      const changed = change(data)
      return changed === data ? frame : Buffer.concat([changed, lineEnd])
    },
    encode: () => encoder,
  },
  {
    read(frame) {
      const data = trimmed(frame)
      return { name: '', data: data.length === 0 ? undefined : bytesOnOneLine(data) }
    },
  },
)

/** The line without white space at its ends. JSON has only ASCII white space; other lines may have more kinds. */
function trimmed(frame: Buffer): Buffer {
  let [start, end] = [0, frame.length]
  while (start < end && isBlank(frame[start]!)) start++
  while (start < end && isBlank(frame[end - 1]!)) end--
  const isAscii = start === end || (frame[start]! < 0x80 && frame[end - 1]! < 0x80)
  return isAscii ? frame.subarray(start, end) : Buffer.from(frame.toString().trim())
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)
}

const encoder: FrameEncoder = {
  frame: ({ data }) => `${data}\n`,
  frameBytes: ({ data }) => [data, lineEnd],
  end: () => '',
}

class LineJoiner implements FrameJoiner {
  readonly #pending = new ByteList()

  get pendingBytes(): number {
    return this.#pending.size
  }

  feed(chunk: Buffer): Buffer | undefined {
    const end = chunk.lastIndexOf(lineFeed) + 1
    if (end === 0) {
      this.#pending.add(chunk)
      return undefined
    }
    const lines = chunk.subarray(0, end)
    const frames = this.pendingBytes === 0 ? lines : this.#takeWith(lines)
    if (end < chunk.length) this.#pending.add(chunk.subarray(end))
    return frames
  }

  end(): Buffer | undefined {
    const line = this.#takeRest()
    if (line && !isWhole(trimmed(line))) throw cutInFrame()
    return line
  }

  /** The last line, and its end; `undefined` for none and for blanks alone. */
  #takeRest(): Buffer | undefined {
    if (this.pendingBytes === 0) return undefined
    const line = this.#takeWith(lineEnd)
    return trimmed(line).length === 0 ? undefined : line
  }

  #takeWith(lines: Buffer): Buffer {
    this.#pending.add(lines)
    return this.#pending.take()
  }
}
