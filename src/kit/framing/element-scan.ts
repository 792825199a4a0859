import { brokenFrame } from './cut-off.ts'

const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
const comma = 0x2c
const quote = 0x22
const backslash = 0x5c
const space = 0x20

/** The syntax that may follow, apart from white space: `[`, a first element or `]`, an element, `,` or `]`, nothing. */
type Place = 'unknown' | 'before' | 'first' | 'element' | 'behind' | 'over'

/** Finds the ends of frames. Each byte is looked at once, over all chunks of a stream. */
export class ElementScan {
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
    for (let at = from; at < bytes.length;) {
      if (this.#depth > 0) {
        at = this.#passInside(bytes, at)
        if (this.#depth === 0) return at
      } else if (this.#ends(bytes[at++]!)) return at
    }
    return -1
  }

  /** Reads a byte between elements. Returns whether it ends a frame. */
  #ends(byte: number): boolean {
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

  /** The position after the element, or the end of the bytes. It runs for each byte, so its state is in variables. */
  #passInside(bytes: Buffer, from: number): number {
    let depth = this.#depth
    let isInString = this.#isInString
    let isEscaped = this.#isEscaped
    let at = from
    while (at < bytes.length && depth > 0) {
      const byte = bytes[at++]
      if (isEscaped) isEscaped = false
      else if (isInString) {
        if (byte === backslash) isEscaped = true
        else if (byte === quote) isInString = false
      } else if (byte === quote) isInString = true
      else if (byte === openBrace || byte === openBracket) depth++
      else if (byte === closeBrace || byte === closeBracket) depth--
    }
    this.#depth = depth
    this.#isInString = isInString
    this.#isEscaped = isEscaped
    if (depth === 0) this.#place = 'behind'
    return at
  }
}
