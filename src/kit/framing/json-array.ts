import type {
  BytesToFrame,
  EventToFrame,
  FrameEncoder,
  FrameJoiner,
  Framing,
} from '../../contract/framing.ts'
import { ByteList } from '../../lib/byte-list.ts'
import { cutInFrame } from './cut-off.ts'
import { ElementScan } from './element-scan.ts'
import { keepFirstEnd, knownFirstEnd } from './change-data.ts'
import { alsoUndecoded, bytesOnOneLine } from './undecoded.ts'

const closeBracket = 0x5d
const openBrace = 0x7b

/**
 * One JSON array, whose elements are the events: objects. A frame is an element with the separator before it; the
 * closing bracket is a frame of its own. Events have no names.
 */
export const jsonArray: Framing = alsoUndecoded(
  {
    mediaTypes: ['application/json'],
    contentType: 'application/json; charset=utf-8',
    // White space is valid between the elements of an array.
    keepAlive: '\n',
    hasEnd: true,
    join: () => new ElementJoiner(),
    frameEnd(frames, start) {
      const known = start === 0 ? knownFirstEnd(frames) : undefined
      if (known !== undefined) return known
      const scan = new ElementScan('unknown')
      const end = scan.next(frames, start)
      return end < 0 ? frames.length : end
    },
    parse(frame) {
      const start = elementStart(frame)
      if (start < frame.length) return { name: '', data: frame.toString('utf8', start) }
      return withoutElement(frame)
    },
    withData(frame, change) {
      const start = elementStart(frame)
      if (start === frame.length) return frame
      const data = frame.subarray(start)
      const changed = change(data)
      return changed === data ? frame : Buffer.concat([frame.subarray(0, start), changed])
    },
    encode: () => new ElementEncoder(),
  },
  {
    read(frame) {
      const start = elementStart(frame)
      if (start < frame.length) return { name: '', data: bytesOnOneLine(frame.subarray(start)) }
      return withoutElement(frame)
    },
  },
)

function withoutElement(frame: Buffer) {
  const isEnd = frame.includes(closeBracket)
  return { name: '', data: undefined, ...(isEnd && { isEnd }) }
}

/** The position of the element in its frame; the length of a frame without one. */
function elementStart(frame: Buffer): number {
  const start = frame.indexOf(openBrace)
  return start < 0 ? frame.length : start
}

class ElementEncoder implements FrameEncoder {
  #hasBegun = false

  frame({ data }: EventToFrame): string {
    return this.#separator() + data
  }

  frameBytes({ data }: BytesToFrame): Buffer[] {
    return [Buffer.from(this.#separator()), data]
  }

  #separator(): string {
    const separator = this.#hasBegun ? ',\n' : '['
    this.#hasBegun = true
    return separator
  }

  end(): string {
    return this.#hasBegun ? ']' : '[]'
  }
}

class ElementJoiner implements FrameJoiner {
  readonly #scan = new ElementScan('before')
  readonly #pending = new ByteList()
  /** In the last chunk. */
  #firstEnd = 0
  broken: unknown

  get pendingBytes(): number {
    return this.#pending.size
  }

  feed(chunk: Buffer): Buffer | undefined {
    const end = this.broken ? 0 : this.#scanAll(chunk)
    if (this.broken && end === 0) throw this.broken
    if (end === 0) {
      this.#pending.add(chunk)
      return undefined
    }
    const last = chunk.subarray(0, end)
    const firstEnd = this.pendingBytes + this.#firstEnd
    if (this.pendingBytes > 0) this.#pending.add(last)
    const frames = this.pendingBytes > 0 ? this.#pending.take() : last
    keepFirstEnd(frames, firstEnd)
    if (end < chunk.length) this.#pending.add(chunk.subarray(end))
    return frames
  }

  /** The position after the last frame that ends in the chunk; 0 for none. Sets that after the first one. */
  #scanAll(chunk: Buffer): number {
    let end = 0
    this.#firstEnd = 0
    try {
      for (let next = 0; next >= 0; next = this.#scan.next(chunk, next)) {
        end = next
        this.#firstEnd ||= next
      }
    } catch (error) {
      this.broken = error
    }
    return end
  }

  end(): undefined {
    if (this.broken) throw this.broken
    // Only white space follows the end.
    if (!this.#scan.isOver) throw cutInFrame()
    return undefined
  }
}
