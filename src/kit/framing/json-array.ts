import type { FrameEncoder, FrameJoiner, Framing } from '../../contract/framing.ts'
import { ByteList } from '../../lib/byte-list.ts'
import { brokenFrame, cutInFrame } from './cut-off.ts'

const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
const comma = 0x2c
const quote = 0x22
const backslash = 0x5c
const space = 0x20

/**
 * One JSON array, whose elements are the events: objects. A frame is an element with the separator before it; the
 * closing bracket is a frame of its own. Events have no names.
 */
export const jsonArray: Framing = {
  mediaTypes: ['application/json'],
  contentType: 'application/json; charset=utf-8',
  // White space is valid between the elements of an array.
  keepAlive: '\n',
  hasEnd: true,
  join: () => new ElementJoiner(),
  frameEnd(frames, start) {
    const scan = new ElementScan('unknown')
    const end = scan.next(frames, start)
    return end < 0 ? frames.length : end
  },
  parse(frame) {
    const start = elementStart(frame)
    if (start < frame.length) return { name: '', data: frame.toString('utf8', start) }
    const isEnd = frame.includes(closeBracket)
    return { name: '', data: undefined, ...(isEnd && { isEnd }) }
  },
  withData(frame, change) {
    const start = elementStart(frame)
    if (start === frame.length) return frame
    const data = frame.subarray(start)
    const changed = change(data)
    return changed === data ? frame : Buffer.concat([frame.subarray(0, start), changed])
  },
  encode: () => new ElementEncoder(),
}

/** The position of the element in its frame; the length of a frame without one. */
function elementStart(frame: Buffer): number {
  const start = frame.indexOf(openBrace)
  return start < 0 ? frame.length : start
}

class ElementEncoder implements FrameEncoder {
  #hasBegun = false

  frame({ data }: { readonly data: string }): string {
    const separator = this.#hasBegun ? ',\n' : '['
    this.#hasBegun = true
    return separator + data
  }

  end(): string {
    return this.#hasBegun ? ']' : '[]'
  }
}

/** What may come next, apart from white space: `[`, a first element or `]`, an element, `,` or `]`, nothing. */
type Place = 'unknown' | 'before' | 'first' | 'element' | 'behind' | 'over'

/** Finds the ends of frames. Each byte is looked at once, over all chunks of a stream. */
class ElementScan {
  #place: Place
  #depth = 0
  #isInString = false
  #isEscaped = false

  constructor(place: Place) {
    this.#place = place
  }

  get isOver(): boolean {
    return this.#place === 'over'
  }

  /** The position after the next frame that ends in these bytes; -1 for none. Throws for other JSON. */
  next(bytes: Buffer, from: number): number {
    for (let at = from; at < bytes.length; at++) {
      if (this.#ends(bytes[at] as number)) return at + 1
    }
    return -1
  }

  #ends(byte: number): boolean {
    if (this.#depth > 0) return this.#passInside(byte)
    if (byte <= space) return false
    const place = this.#place
    if (byte === openBrace && place !== 'behind' && place !== 'before' && place !== 'over') {
      this.#depth = 1
      return false
    }
    if (byte === openBracket && (place === 'before' || place === 'unknown')) {
      this.#place = 'first'
      return false
    }
    if (byte === comma && (place === 'behind' || place === 'unknown')) {
      this.#place = 'element'
      return false
    }
    if (byte === closeBracket && (place === 'first' || place === 'behind' || place === 'unknown')) {
      this.#place = 'over'
      return true
    }
    throw brokenFrame('the stream is no array of JSON objects')
  }

  #passInside(byte: number): boolean {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false
      else if (byte === backslash) this.#isEscaped = true
      else if (byte === quote) this.#isInString = false
    } else if (byte === quote) this.#isInString = true
    else if (byte === openBrace || byte === openBracket) this.#depth++
    else if (byte === closeBrace || byte === closeBracket)
      return --this.#depth === 0 && this.#pass()
    return false
  }

  #pass(): boolean {
    this.#place = 'behind'
    return true
  }
}

class ElementJoiner implements FrameJoiner {
  readonly #scan = new ElementScan('before')
  readonly #pending = new ByteList()
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
    if (this.pendingBytes > 0) this.#pending.add(last)
    const frames = this.pendingBytes > 0 ? this.#pending.take() : last
    if (end < chunk.length) this.#pending.add(chunk.subarray(end))
    return frames
  }

  /** The position after the last frame that ends in the chunk; 0 for none. */
  #scanAll(chunk: Buffer): number {
    let end = 0
    try {
      for (let next = 0; next >= 0; next = this.#scan.next(chunk, next)) end = next
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
