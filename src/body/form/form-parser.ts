import { GatewayError } from '../../contract/errors.ts'
import type { ByteRange } from '../../lib/json/scan.ts'
import { assertUtf8, invalidForm, linesEndOtherwise } from './boundary.ts'
import { Delimiter } from './delimiter.ts'
import type { FormPart } from '../../contract/body.ts'
import { readPartHead, shown } from './part-head.ts'
import { FormTexts } from './texts.ts'
import { checkWatched } from './watched-parts.ts'

export interface FormLimits {
  /** The whole body. */
  readonly formBytes: number
  /** The content of one part. */
  readonly formPartBytes: number
}

/** Parts of a form. */
const mostParts = 1_000
/** The headers of a part. */
const mostHeadBytes = 8 * 1024
/** Blanks after a boundary. */
const mostPadding = 128

/** A form as far as it is kept in memory. */
export interface PartTable {
  readonly parts: readonly FormPart[]
  /** Where the closing boundary's line begins. */
  readonly end: number
  readonly texts: FormTexts
  /**
   * Blanks after boundaries. RFC 2046 allows them, but common readers pass over a part that has them:
   * they do not go on to the account.
   */
  readonly padding: readonly ByteRange[]
}

type State = 'preamble' | 'boundary' | 'head' | 'content' | 'closing' | 'epilogue'

/**
 * Finds where the parts of a `multipart/form-data` body stand (RFC 7578, RFC 2046), however its
 * bytes are cut. It keeps the short texts and nothing else, and refuses whatever another reader
 * could read in another way: the bytes go on to the account as they are. Throws `GatewayError` 400
 * or 413; after that it must not be used again.
 */
export class FormParser {
  readonly #delimiter: Delimiter
  readonly #limits: FormLimits
  readonly #parts: FormPart[] = []
  readonly #texts = new FormTexts()
  readonly #padding: ByteRange[] = []
  #state: State = 'preamble'
  /** What has come and could not be read without more. */
  #pending: Buffer = Buffer.alloc(0)
  /** Where in the body `#pending` begins. */
  #offset = 0
  /** The part whose content is being read. */
  #part: Omit<FormPart, 'end'> | undefined
  #end = 0

  constructor(boundary: string, limits: FormLimits) {
    this.#delimiter = new Delimiter(boundary)
    this.#limits = limits
  }

  push(chunk: Buffer): void {
    if (this.#offset + this.#pending.length + chunk.length > this.#limits.formBytes) {
      throw tooLarge(`The form exceeds ${this.#limits.formBytes} bytes.`)
    }
    const data = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk])
    let position = 0
    for (;;) {
      const before = this.#state
      const next = this.#step(data, position)
      const isDone = next === position && this.#state === before
      position = next
      if (isDone) break
    }
    this.#delimiter.pass(data, position)
    this.#pending = data.subarray(position)
    this.#offset += position
  }

  /** There is no more. */
  finish(): PartTable {
    const blank = /^[ \t]*$/.test(this.#pending.toString('latin1'))
    const isClosed = this.#state === 'epilogue' || (this.#state === 'closing' && blank)
    if (!isClosed) throw this.#brokenOff()
    if (this.#parts.length === 0) throw invalidForm('The form has no parts.')
    // What this part says holds for all texts (RFC 7578 section 4.6).
    assertUtf8(this.#texts.get('_charset_'), 'The form')
    if (this.#state === 'closing') this.#pad(0, this.#pending.length)
    return { parts: this.#parts, end: this.#end, texts: this.#texts, padding: this.#padding }
  }

  #brokenOff(): GatewayError {
    if (this.#state === 'preamble') {
      return invalidForm('The boundary that the content type names is nowhere in the form.')
    }
    return invalidForm('The form breaks off: its closing boundary is missing.')
  }

  /** Reads on from `position`; answers how far it came. */
  #step(data: Buffer, position: number): number {
    switch (this.#state) {
      case 'boundary':
        return this.#readBoundary(data, position)
      case 'head':
        return this.#readHead(data, position)
      case 'closing':
        return this.#readClosing(data, position)
      default:
        return this.#readOn(data, position)
    }
  }

  /** What stands before the first boundary, in a part, or after the last one. */
  #readOn(data: Buffer, position: number): number {
    const where = this.#state === 'content' ? 'in a part' : 'outside'
    const found = this.#delimiter.find(data, position, where)
    if (found === undefined) {
      const known = data.length - this.#delimiter.begun(data, position)
      this.#collect(data.subarray(position, known), this.#offset + known)
      return known
    }
    if (this.#state === 'epilogue')
      throw invalidForm('The form goes on after its closing boundary.')
    if (this.#state === 'content') this.#endPart(data.subarray(position, found), found)
    this.#state = 'boundary'
    return found
  }

  #collect(content: Buffer, until: number): void {
    if (this.#state !== 'content' || !this.#part) return
    // The line break before the boundary may be among it.
    this.#checkSize(this.#part, until - 2)
    if (this.#part.filename === undefined) this.#texts.add(content)
  }

  /** `found` is where the boundary begins; the line break before it is not content. */
  #endPart(content: Buffer, found: number): void {
    const part = this.#part as Omit<FormPart, 'end'>
    const end = this.#offset + found - 2
    if (end < part.start) throw invalidForm('A boundary in the form does not begin a line.')
    this.#checkSize(part, end)
    const whole = { ...part, end }
    if (part.filename === undefined) {
      this.#texts.add(content)
      this.#texts.end(whole)
    }
    this.#parts.push(whole)
    this.#part = undefined
  }

  #checkSize(part: Omit<FormPart, 'end'>, end: number): void {
    const { formPartBytes } = this.#limits
    if (end - part.start <= formPartBytes) return
    const param = shown(part.name)
    throw tooLarge(`The part \`${param}\` of the form exceeds ${formPartBytes} bytes.`, param)
  }

  /** `--boundary`, blanks, and the end of the line; or `--boundary--`. */
  #readBoundary(data: Buffer, position: number): number {
    const after = position + this.#delimiter.length
    if (data.length < after + 2) return position
    if (data[after] === hyphen && data[after + 1] === hyphen) {
      this.#end = this.#offset + position
      this.#state = 'closing'
      return after + 2
    }
    const lineEnd = endOfLine(data, after)
    if (lineEnd === undefined) return position
    this.#pad(after, lineEnd)
    this.#state = 'head'
    return lineEnd
  }

  /** After `--boundary--` nothing but blanks in its line. */
  #readClosing(data: Buffer, position: number): number {
    const lineEnd = endOfLine(data, position)
    if (lineEnd === undefined) return position
    this.#pad(position, lineEnd)
    this.#state = 'epilogue'
    return lineEnd
  }

  /** Notes blanks, by their place in `#pending` or in what is being read. */
  #pad(start: number, end: number): void {
    if (end > start) this.#padding.push({ start: this.#offset + start, end: this.#offset + end })
  }

  /** From the line break after the boundary to the empty line. */
  #readHead(data: Buffer, position: number): number {
    const emptyLine = data.indexOf('\r\n\r\n', position)
    const length = (emptyLine < 0 ? data.length : emptyLine) - position
    if (length > mostHeadBytes) {
      throw tooLarge(`The headers of a part of the form exceed ${mostHeadBytes} bytes.`)
    }
    if (emptyLine < 0) return position
    if (this.#parts.length === mostParts) {
      throw tooLarge(`The form has more than ${mostParts} parts.`)
    }
    const bytes = data.subarray(position + 2, Math.max(emptyLine, position + 2))
    if (this.#delimiter.isIn(bytes)) throw invalidForm('A header in the form holds the boundary.')
    const head = readPartHead(bytes)
    checkWatched(head, this.#parts)
    const start = this.#offset + emptyLine + 4
    this.#part = { ...head, start }
    this.#state = 'content'
    return emptyLine + 4
  }
}

const hyphen = 0x2d

/** Where the line ends after blanks; `undefined` where more must come to know. */
function endOfLine(data: Buffer, from: number): number | undefined {
  let at = from
  while (data[at] === 0x20 || data[at] === 0x09) at++
  if (at - from > mostPadding) throw invalidForm('A boundary in the form is followed by too much.')
  const isPossible = at === data.length || (data[at] === 0x0d && at + 1 === data.length)
  if (isPossible) return undefined
  if (data[at] === 0x0d && data[at + 1] === 0x0a) return at
  if (data[at] === 0x0d || data[at] === 0x0a) throw linesEndOtherwise()
  throw invalidForm('A line of the form begins with the boundary and goes on after it.')
}

function tooLarge(message: string, param?: string): GatewayError {
  return new GatewayError('request_too_large', message, param === undefined ? {} : { param })
}
