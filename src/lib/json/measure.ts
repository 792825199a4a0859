import { isAscii } from 'node:buffer'

import { findClosingQuote, isEscaped } from './scan.ts'
import type { Turns } from '../turns.ts'

/** The most that a JSON text may contain. */
export interface JsonLimits {
  /** Levels of nested objects and lists. */
  readonly jsonDepth: number
  /** Values and member names. */
  readonly jsonValues: number
}

/** The limit that a text exceeds. */
export type JsonExcess = keyof JsonLimits | 'longNumber' | 'longNames'

/** The most characters of a number. More have no meaning and take time in every later step. */
export const longestNumber = 4_096

/**
 * Names from this size on, in bytes with their quotes, are long. V8 hashes a text of more than 16,383 characters by its
 * length alone, so that each long name is compared with every other one.
 */
const longName = 16_384
/** The most long names of a text: a few thousand would take minutes to parse. */
export const mostLongNames = 16

/** Texts up to this size, in bytes, are parsed without being measured: they cannot hold much. */
export const smallJson = 64 * 1024

/** Values from this size on, in bytes, are parsed piece by piece. */
export const pieceBytes = 256 * 1024

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

/** Bytes that are measured between two looks at the clock. */
const strideBytes = 256 * 1024

const quote = 0x22
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
const comma = 0x2c
const colon = 0x3a

/**
 * Counts levels and values in the bytes of a JSON text before it is parsed. It stops at the first
 * limit, so that the rest of a hostile text costs nothing. It does not check the syntax.
 */
export class JsonMeasure {
  /** Values and member names so far. */
  values = 0
  /** The ends of all values of at least `pieceBytes`, by their starts. */
  readonly ends = new Map<number, number>()
  readonly #bytes: Buffer
  readonly #limits: JsonLimits
  readonly #starts: number[] = []
  readonly #stringStarts: number[] | undefined
  #position = 0
  /** The start of the string that the position is inside of; -1 for none. */
  #openString = -1
  /** The length so far of the number or the literal that the last byte belongs to. */
  #scalarLength = 0
  /** The size of the last string so far: of a name, once its colon follows. */
  #stringLength = 0
  #longNames = 0

  /** `stringStarts` gets the positions of all strings and names, in order. */
  constructor(bytes: Buffer, limits: JsonLimits, stringStarts?: number[]) {
    this.#bytes = bytes
    this.#limits = limits
    this.#stringStarts = stringStarts
  }

  /** Whether the text so far closes all objects and lists that it opens. */
  get isClosed(): boolean {
    return this.#starts.length === 0
  }

  /** Measures the whole text. Returns the first limit that it exceeds. */
  measure(): JsonExcess | undefined {
    return this.#advance(this.#bytes.length)
  }

  /** The same in turns of the event loop. */
  async measureInTurns(turns: Turns): Promise<JsonExcess | undefined> {
    while (this.#position < this.#bytes.length) {
      const excess = this.#advance(this.#position + strideBytes)
      if (excess) return excess
      if (turns.isOver) await turns.next()
    }
    return undefined
  }

  #advance(until: number): JsonExcess | undefined {
    const bytes = this.#bytes
    const starts = this.#starts
    const { jsonDepth, jsonValues } = this.#limits
    const end = Math.min(until, bytes.length)
    const part = end === bytes.length ? bytes : bytes.subarray(0, end)
    let at = this.#openString < 0 ? this.#position : this.#readString(part, this.#position)
    if (this.values > jsonValues) return 'jsonValues'
    let scalarLength = this.#scalarLength
    while (at < end) {
      const byte = bytes[at] as number
      const isPartOfScalar =
        byte > 0x20 && byte !== comma && byte !== colon && !isBracket(byte) && byte !== quote
      if (isPartOfScalar) {
        if (scalarLength === 0) this.values++
        if (++scalarLength > longestNumber) return 'longNumber'
        at++
        continue
      }
      scalarLength = 0
      if (byte === quote) {
        this.#openString = at
        at = this.#readString(part, at + 1)
        if (this.values > jsonValues) return 'jsonValues'
        continue
      }
      if (byte === openBrace || byte === openBracket) {
        if (starts.push(at) > jsonDepth) return 'jsonDepth'
        if (++this.values > jsonValues) return 'jsonValues'
      } else if (byte === closeBrace || byte === closeBracket) {
        const start = starts.pop()
        if (start !== undefined && at + 1 - start >= pieceBytes) this.ends.set(start, at + 1)
      } else if (byte === colon && this.#stringLength >= longName) {
        if (++this.#longNames > mostLongNames) return 'longNames'
      }
      at++
    }
    this.#position = at
    this.#scalarLength = scalarLength
    return this.values > jsonValues ? 'jsonValues' : undefined
  }

  /**
   * Reads on in the open string, up to the end of a part of the bytes: a long string takes longer than a turn. Returns
   * the position to go on from.
   */
  #readString(part: Buffer, from: number): number {
    const { length } = part
    const quote = findClosingQuote(part, from)
    if (quote < 0 && length < this.#bytes.length) {
      return isEscaped(part, length, from) ? length + 1 : length
    }
    const start = this.#openString
    const end = quote < 0 ? length : quote + 1
    this.#openString = -1
    this.#stringStarts?.push(start)
    this.#stringLength = end - start
    if (end - start >= pieceBytes) this.ends.set(start, end)
    this.values++
    return end
  }
}

function isBracket(byte: number): boolean {
  return byte === openBrace || byte === closeBrace || byte === openBracket || byte === closeBracket
}
