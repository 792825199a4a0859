import { skipJsonSpace } from './white-space.ts'
import { Turns } from '../turns.ts'
import { JsonMeasure, pieceBytes } from './measure.ts'
import { setOwn } from './object.ts'
import { type ByteRange, endOfValue, isEscaped, skipString } from './scan.ts'

const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
const comma = 0x2c
const colon = 0x3a
const letterU = 0x75

/**
 * The bytes of a long text that are parsed at a time. V8 asks the system for fresh memory for each text
 * of more than 128 KiB.
 */
const textBytes = 64 * 1024

/** The ends of all values of at least `pieceBytes`, by their starts: see `JsonMeasure`. */
type Ends = ReadonlyMap<number, number>

/** Called with each member of an object, in order, duplicates included. */
type VisitMember = (key: ByteRange, value: ByteRange) => void

/**
 * Parses a JSON text as `JSON.parse` does, but in pieces and in turns of the event loop. Rejects with
 * `SyntaxError`.
 */
export async function parseInPieces(bytes: Buffer, ends: Ends, turns: Turns): Promise<unknown> {
  const start = skipJsonSpace(bytes, 0)
  const end = ends.get(start) ?? endOfValue(bytes, start)
  if (skipJsonSpace(bytes, end) !== bytes.length) throw new SyntaxError('text behind the value')
  return new PieceParser(bytes, ends, turns).parse({ start, end })
}

/**
 * Parses a JSON text that has been measured before it was edited, in turns of an owner. Rejects with `SyntaxError`.
 */
export async function parseAgain(bytes: Buffer, owner?: string): Promise<unknown> {
  const turns = new Turns({ owner })
  const measure = new JsonMeasure(bytes, { jsonDepth: Infinity, jsonValues: Infinity })
  await measure.measureInTurns(turns)
  return parseInPieces(bytes, measure.ends, turns)
}

/**
 * Visits the members of an object, in turns: by default of the outermost one. Rejects with `SyntaxError` if it is
 * none.
 */
export function visitMembers(
  bytes: Buffer,
  ends: Ends,
  turns: Turns,
  visit: VisitMember,
  start = skipJsonSpace(bytes, 0),
): Promise<void> {
  return new PieceParser(bytes, ends, turns).eachMember(start, visit)
}

class PieceParser {
  readonly #bytes: Buffer
  readonly #ends: Ends
  readonly #turns: Turns

  constructor(bytes: Buffer, ends: Ends, turns: Turns) {
    this.#bytes = bytes
    this.#ends = ends
    this.#turns = turns
  }

  async parse(range: ByteRange): Promise<unknown> {
    if (this.#turns.isOver) await this.#turns.next()
    if (range.end - range.start < pieceBytes) return this.#whole(range)
    const first = this.#bytes[range.start]
    if (first === openBracket) return this.#list(range)
    if (first === openBrace) return this.#object(range)
    return first === quote ? this.#string(range) : this.#whole(range)
  }

  #whole({ start, end }: ByteRange): unknown {
    return JSON.parse(this.#bytes.toString('utf8', start, end))
  }

  async #list(range: ByteRange): Promise<unknown[]> {
    const list: unknown[] = []
    const batch = this.#batchOf((text) => {
      for (const value of JSON.parse(`[${text}]`) as unknown[]) list.push(value)
    })
    for (let at = this.#firstIn(range, closeBracket); at >= 0;) {
      const value = this.#valueAt(at)
      if (this.#isSmall(value)) {
        if (batch.add(at, value.end)) await this.#turns.next()
      } else {
        batch.flush()
        list.push(await this.parse(value))
      }
      at = this.#nextIn(value.end, range, closeBracket)
    }
    batch.flush()
    return list
  }

  async #object(range: ByteRange): Promise<Record<string, unknown>> {
    const object: Record<string, unknown> = {}
    const batch = this.#batchOf((text) => {
      const part = JSON.parse(`{${text}}`) as Record<string, unknown>
      for (const name of Object.keys(part)) setOwn(object, name, part[name])
    })
    for (let at = this.#firstIn(range, closeBrace); at >= 0;) {
      const key = this.#keyAt(at)
      const value = this.#valueAt(this.#afterColon(key))
      if (this.#isSmall({ start: at, end: value.end })) {
        if (batch.add(at, value.end)) await this.#turns.next()
      } else {
        batch.flush()
        const name = (await this.parse(key)) as string
        setOwn(object, name, await this.parse(value))
      }
      at = this.#nextIn(value.end, range, closeBrace)
    }
    batch.flush()
    return object
  }

  async eachMember(start: number, visit: VisitMember): Promise<void> {
    if (this.#bytes[start] !== openBrace) throw new SyntaxError('not an object')
    const range = this.#valueAt(start)
    for (let at = this.#firstIn(range, closeBrace); at >= 0;) {
      const key = this.#keyAt(at)
      const value = this.#valueAt(this.#afterColon(key))
      visit(key, value)
      if (this.#turns.isOver) await this.#turns.next()
      at = this.#nextIn(value.end, range, closeBrace)
    }
  }

  /** Cut where neither an escape nor a character is divided. */
  async #string({ start, end }: ByteRange): Promise<string> {
    // V8 joins the pieces at the first look into the text, and most texts pass unread.
    let text = ''
    for (let at = start + 1; at < end - 1;) {
      const cut = at + textBytes < end - 1 ? this.#cutBefore(at + textBytes, at) : end - 1
      text += JSON.parse(`"${this.#bytes.toString('utf8', at, cut)}"`) as string
      at = cut
      if (this.#turns.isOver) await this.#turns.next()
    }
    if (this.#bytes[end - 1] !== quote) throw new SyntaxError('an unterminated string')
    return text
  }

  /** `from`: an earlier cut, before which no escape reaches. */
  #cutBefore(position: number, from: number): number {
    const bytes = this.#bytes
    let cut = position
    for (let back = 0; back < 3 && ((bytes[cut] as number) & 0xc0) === 0x80; back++) cut--
    for (let back = 2; back <= 5; back++) {
      const isUnicode = bytes[cut - back] === backslash && bytes[cut - back + 1] === letterU
      if (isUnicode && !isEscaped(bytes, cut - back, from)) return cut - back
    }
    return isEscaped(bytes, cut, from) ? cut - 1 : cut
  }

  #isSmall({ start, end }: ByteRange): boolean {
    return end - start < pieceBytes
  }

  #keyAt(start: number): ByteRange {
    if (this.#bytes[start] !== quote) throw new SyntaxError('a member without a name')
    return { start, end: this.#ends.get(start) ?? skipString(this.#bytes, start) }
  }

  #afterColon(key: ByteRange): number {
    const at = skipJsonSpace(this.#bytes, key.end)
    if (this.#bytes[at] !== colon) throw new SyntaxError('a name without a value')
    return skipJsonSpace(this.#bytes, at + 1)
  }

  #valueAt(start: number): ByteRange {
    const end = this.#ends.get(start) ?? endOfValue(this.#bytes, start)
    if (end === start) throw new SyntaxError('no value')
    return { start, end }
  }

  /** The first element; -1 for none. */
  #firstIn({ start, end }: ByteRange, close: number): number {
    const at = skipJsonSpace(this.#bytes, start + 1)
    if (this.#bytes[end - 1] !== close) throw new SyntaxError('another bracket at the end')
    return at === end - 1 ? -1 : at
  }

  /** The element behind the one that ends at `position`; -1 for none. */
  #nextIn(position: number, { end }: ByteRange, close: number): number {
    const at = skipJsonSpace(this.#bytes, position)
    if (at === end - 1 && this.#bytes[at] === close) return -1
    if (this.#bytes[at] !== comma) throw new SyntaxError('no comma between two elements')
    const next = skipJsonSpace(this.#bytes, at + 1)
    if (next >= end - 1) throw new SyntaxError('a comma without an element')
    return next
  }

  /** Joins neighbours, so that small elements are parsed many at a time. */
  #batchOf(parse: (text: string) => void) {
    let start = -1
    let end = -1
    const flush = () => {
      if (start >= 0) parse(this.#bytes.toString('utf8', start, end))
      start = -1
    }
    return {
      flush,
      /** Returns whether the turn is over. */
      add: (from: number, to: number): boolean => {
        if (start < 0) start = from
        end = to
        if (end - start < pieceBytes) return false
        flush()
        return this.#turns.isOver
      },
    }
  }
}
