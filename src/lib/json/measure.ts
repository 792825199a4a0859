import { isAscii } from 'node:buffer'

import type { Work } from '../turns.ts'

/** The most that a JSON text may contain. */
export interface JsonLimits {
  /** Levels of nested objects and lists. */
  readonly jsonDepth: number
  /** Values and member names. Four numbers count as one. */
  readonly jsonValues: number
  /** Bytes outside of strings; `mostBareBytes` if absent. */
  readonly bareBytes?: number
}

/** The limit that a text exceeds. */
export type JsonExcess = keyof JsonLimits | 'longNumber' | 'longNames' | 'escapes'

/** The most characters of a number. More have no meaning and take time in every later step. */
export const longestNumber = 4_096

/**
 * Names from this size on, in bytes with their quotes, are long. V8 hashes a text of more than 16,383 characters by its
 * length alone, so that each long name is compared with every other one.
 */
const longName = 16_384
/** The most long names of a text: a few thousand would take minutes to parse. */
export const mostLongNames = 16

/** The most bytes outside of strings: each is looked at one by one, several times. A million numbers have 20 MiB. */
export const mostBareBytes = 24 * 1024 * 1024

/**
 * The most escapes in strings, such as `\n`: to write tens of millions of them takes long. Texts of the largest
 * context that spell each character as `\u6f22` have fewer. Base64 in PHP's spelling has many `\/`, of which eight count as
 * one.
 */
export const mostEscapes = 2_000_000
const escapesOfSlash = 1 / 8

/** A number is a quarter of a value: lists of numbers, as embeddings have, take little time and memory. */
export const valuesOfNumber = 1 / 4

/** Texts up to this size, in bytes, are parsed without being measured: they cannot hold much. */
export const smallJson = 64 * 1024

/** Strings from this size on, in bytes, may be media in base64; so many bytes are looked at in each quarter. */
const longMedia = 1_024
const base64Sample = 64

const isBase64 = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[A-Za-z0-9+/=_\\-]/.test(String.fromCharCode(byte)) ? 1 : 0,
)

/** Values from this size on, in bytes, have their ends noted. */
const largeValue = 256 * 1024

/** Memory of a parsed value besides its text, in bytes: measured with objects of one member. */
const bytesPerValue = 100

/**
 * The memory of a text and its parsed value, in bytes. A character of a text that is not ASCII may take
 * two.
 */
export function memoryOfJson(bytes: Buffer, values: number): number {
  return bytes.length + memoryOfTree(bytes, values)
}

/** The memory of the parsed value alone, in bytes. */
export function memoryOfTree(bytes: Buffer, values: number): number {
  return bytes.length * (isAscii(bytes) ? 1 : 2) + values * bytesPerValue
}

const space = 0x20
const quote = 0x22
const backslash = 0x5c
const slash = 0x2f
const letterA = 0x41
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
const comma = 0x2c
const colon = 0x3a
const minus = 0x2d
const nine = 0x39

/** Most strings are short. A native search is faster from this length on. */
const nativeSearchFrom = 24

/** The bytes of a text that `JsonMeasure.work` measures before it yields. */
const pieceBytes = 4 * 1024 * 1024

/** The bytes behind an escape that are looked at one by one: escapes stand close together. */
const escapedSearch = 512

/** Whether a byte belongs to a number or a literal: a table, since a body may have millions of them. */
const isScalar = Uint8Array.from({ length: 256 }, (_, byte) => {
  const others = [comma, colon, quote, openBrace, closeBrace, openBracket, closeBracket]
  return byte > space && !others.includes(byte) ? 1 : 0
})

/**
 * Counts levels and values in the bytes of a JSON text before it is parsed. It stops at the first
 * limit, so that the rest of a hostile text costs nothing. It does not check the syntax.
 */
export class JsonMeasure {
  /** Values and member names so far. */
  values = 0
  /** The ends of large values, by their starts: passing over them again would take long. */
  readonly ends = new Map<number, number>()
  /** Bytes of long strings that look like base64: pictures, sounds, documents. */
  mediaBytes = 0
  #excess: JsonExcess | undefined
  readonly #bytes: Buffer
  readonly #limits: JsonLimits
  readonly #starts: number[] = []
  readonly #stringStarts: number[] | undefined
  /** The position up to which the text has been measured. */
  #at = 0
  /** The start of a string that has begun before that position and ends behind it. */
  #openString: number | undefined
  /** Whether the last call of `#endOfString` stopped inside of a string. */
  #isInString = false
  #stringLength = 0
  #bareBytes = 0
  #longNames = 0
  #escapes = 0
  /** The first quote and the first backslash behind the last native search for them. */
  #nextQuote = -1
  #nextBackslash = -1

  private constructor(bytes: Buffer, limits: JsonLimits, stringStarts?: number[]) {
    this.#bytes = bytes
    this.#limits = limits
    this.#stringStarts = stringStarts
  }

  /** Measures a text at once. `stringStarts` gets the positions of all strings and names, in order. */
  static of(bytes: Buffer, limits: JsonLimits, stringStarts?: number[]): JsonMeasure {
    const measure = new JsonMeasure(bytes, limits, stringStarts)
    while (!measure.#isDone) measure.#excess = measure.#measurePiece()
    return measure
  }

  /** Measures a large text like `of`, in several turns of the event loop: 64 MiB take up to 100 ms. */
  static *work(bytes: Buffer, limits: JsonLimits, stringStarts?: number[]): Work<JsonMeasure> {
    const measure = new JsonMeasure(bytes, limits, stringStarts)
    while (!measure.#isDone) {
      measure.#excess = measure.#measurePiece()
      yield
    }
    return measure
  }

  /** The limit that the text exceeds. */
  get excess(): JsonExcess | undefined {
    return this.#excess
  }

  get #isDone(): boolean {
    return this.#excess !== undefined || this.#at >= this.#bytes.length
  }

  /** Whether the text closes all objects and lists that it opens. */
  get isClosed(): boolean {
    return this.#starts.length === 0
  }

  #measurePiece(): JsonExcess | undefined {
    const bytes = this.#bytes
    const starts = this.#starts
    const { jsonDepth, jsonValues, bareBytes: allowedBare = mostBareBytes } = this.#limits
    const end = Math.min(bytes.length, this.#at + pieceBytes)
    let bareBytes = this.#bareBytes
    let at = this.#at
    if (this.#openString !== undefined) at = this.#passString(this.#openString, at, end)
    while (at < end) {
      const byte = bytes[at] as number
      const start = at
      if (byte === quote) at = this.#passString(start, at + 1, end)
      else {
        at++
        if (byte <= space) {
          while (at < bytes.length && (bytes[at] as number) <= space) at++
        } else if (isScalar[byte]) {
          while (at < bytes.length && isScalar[bytes[at] as number]) at++
          if (at - start > longestNumber) return 'longNumber'
          this.values += byte === minus || byte <= nine ? valuesOfNumber : 1
        } else if (byte === openBrace || byte === openBracket) {
          if (starts.push(start) > jsonDepth) return 'jsonDepth'
          this.values++
        } else if (byte === closeBrace || byte === closeBracket) {
          const opened = starts.pop()
          if (opened !== undefined && at - opened >= largeValue) this.ends.set(opened, at)
        } else if (byte === colon && this.#stringLength >= longName) {
          if (++this.#longNames > mostLongNames) return 'longNames'
        }
        bareBytes += at - start
        if (bareBytes > allowedBare) return 'bareBytes'
      }
      if (this.values > jsonValues) return 'jsonValues'
    }
    this.#at = at
    this.#bareBytes = bareBytes
    if (this.#escapes > mostEscapes) return 'escapes'
    return this.values > jsonValues ? 'jsonValues' : undefined
  }

  /**
   * Passes over the string that opens at `start`, from the position `from` on, and returns the position behind it. A string
   * that reaches beyond `end` is passed in part: the next piece continues it.
   */
  #passString(start: number, from: number, end: number): number {
    const at = this.#endOfString(from, end)
    this.#openString = this.#isInString ? start : undefined
    if (this.#isInString) return at
    const length = at - start
    this.#stringLength = length
    this.#stringStarts?.push(start)
    if (length >= longMedia && this.#seemsBase64(start, at - 1)) this.mediaBytes += length
    if (length >= largeValue) this.ends.set(start, at)
    this.values++
    return at
  }

  /** Whether the string between two quotes may be base64: words have blanks, signs or other letters. */
  #seemsBase64(start: number, end: number): boolean {
    const quarter = Math.floor((end - start) / 4)
    const last = this.#bytes[end - 1] as number
    let isOneLetter = true
    for (let to = end; to > start + base64Sample; to -= quarter) {
      for (let at = to - base64Sample; at < to; at++) {
        const byte = this.#bytes[at] as number
        if (!isBase64[byte]) return false
        isOneLetter &&= byte === last
      }
    }
    // Silence and black are zeros.
    return !isOneLetter || last === letterA
  }

  /**
   * The position behind the quote that closes a string, searched from inside of the string. For a string that reaches
   * beyond `end`, a position inside of it, and `#isInString` is set. Counts the escapes that it passes.
   */
  #endOfString(from: number, end: number): number {
    const bytes = this.#bytes
    const { length } = bytes
    this.#isInString = false
    let at = from
    let near = Math.min(length, at + nativeSearchFrom)
    for (;;) {
      let escapes = 0
      while (at < near) {
        const byte = bytes[at]
        if (byte === quote) break
        if (byte === backslash) {
          escapes += bytes[at + 1] === slash ? escapesOfSlash : 1
          at += 2
        } else at++
      }
      this.#escapes += escapes
      if (at < near) return at + 1
      if (at >= length || this.#escapes > mostEscapes) return length
      this.#isInString = at >= end
      if (this.#isInString) return at
      if (this.#nextQuote < at) this.#nextQuote = positionOf(quote, bytes, at)
      if (this.#nextBackslash < at) this.#nextBackslash = positionOf(backslash, bytes, at)
      if (this.#nextQuote < this.#nextBackslash) return this.#nextQuote + 1
      at = this.#nextBackslash
      near = Math.min(length, at + escapedSearch)
    }
  }
}

function positionOf(byte: number, bytes: Buffer, from: number): number {
  const found = bytes.indexOf(byte, from)
  return found < 0 ? bytes.length : found
}
