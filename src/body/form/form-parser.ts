import { GatewayError } from '../../contract/errors.ts'
import type { ByteRange } from '../../lib/json/scan.ts'
import { type MemberRules, usualRules } from '../members.ts'
import { assertUtf8, invalidForm, wrongLineEnding } from './boundary.ts'
import { Delimiter } from './delimiter.ts'
import type { FormPart } from '../../contract/body.ts'
import { readPartHead, shorten } from './part-head.ts'
import { FormTexts } from './texts.ts'
import { checkWatchedPart } from './watched-parts.ts'

/** The size limits of a form. */
export interface FormLimits {
  /** The largest form, in bytes. */
  readonly formBytes: number
  /** The largest content of one part, in bytes. */
  readonly formPartBytes: number
}

/** The most parts of a form. */
const maxParts = 1_000
/** The most bytes in the headers of a part. */
const maxHeadBytes = 8 * 1024
/** The most blanks after a boundary. */
const maxPadding = 128

/** The structure and the short texts of a form; its other content is in the spool. */
export interface PartTable {
  readonly parts: readonly FormPart[]
  /** The offset of the closing boundary. */
  readonly end: number
  readonly texts: FormTexts
  /**
   * The ranges of blanks after boundaries. RFC 2046 allows them, but common parsers skip parts that
   * have them, so they are removed from the form that accounts receive.
   */
  readonly padding: readonly ByteRange[]
}

type State = 'preamble' | 'boundary' | 'head' | 'content' | 'closing' | 'epilogue'

/**
 * Finds the parts of a `multipart/form-data` body (RFC 7578, RFC 2046) incrementally, however its
 * bytes are split into chunks. It stores only short texts. It refuses forms that another parser could
 * read differently, since the account receives the same bytes. Throws `GatewayError` 400 or 413; the
 * parser must not be used after that.
 */
export class FormParser {
  readonly #delimiter: Delimiter
  readonly #limits: FormLimits
  readonly #rules: Pick<MemberRules, 'scalars'>
  readonly #parts: FormPart[] = []
  readonly #texts = new FormTexts()
  readonly #padding: ByteRange[] = []
  #state: State = 'preamble'
  /** The bytes that need more input before they can be parsed. */
  #pending: Buffer = Buffer.alloc(0)
  /** The offset of `#pending` in the body. */
  #offset = 0
  /** The current part. */
  #part: Omit<FormPart, 'end'> | undefined
  #end = 0

  constructor(
    boundary: string,
    limits: FormLimits,
    rules: Pick<MemberRules, 'scalars'> = usualRules,
  ) {
    this.#rules = rules
    this.#delimiter = new Delimiter(boundary)
    this.#limits = limits
  }

  /** Parses the next chunk. */
  feed(chunk: Buffer): void {
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
    this.#delimiter.advance(data, position)
    this.#pending = data.subarray(position)
    this.#offset += position
  }

  /** Ends the form. Throws `GatewayError` 400 if it is incomplete or has no parts. */
  finish(): PartTable {
    const blank = /^[ \t]*$/.test(this.#pending.toString('latin1'))
    const isClosed = this.#state === 'epilogue' || (this.#state === 'closing' && blank)
    if (!isClosed) throw this.#incompleteError()
    if (this.#parts.length === 0) throw invalidForm('The form has no parts.')
    // The part `_charset_` sets the charset of all texts (RFC 7578 section 4.6).
    assertUtf8(this.#texts.get('_charset_'), 'The form')
    if (this.#state === 'closing') this.#addPadding(0, this.#pending.length)
    return { parts: this.#parts, end: this.#end, texts: this.#texts, padding: this.#padding }
  }

  #incompleteError(): GatewayError {
    if (this.#state === 'preamble') {
      return invalidForm('The form does not contain the boundary that its content type names.')
    }
    return invalidForm('The form is cut off: its closing boundary is missing.')
  }

  /** Parses from `position` and returns the position that it reached. */
  #step(data: Buffer, position: number): number {
    switch (this.#state) {
      case 'boundary':
        return this.#readBoundary(data, position)
      case 'head':
        return this.#readHead(data, position)
      case 'closing':
        return this.#readClosing(data, position)
      default:
        return this.#readUntilBoundary(data, position)
    }
  }

  /** Reads up to the next boundary: the preamble, the content of a part, or the epilogue. */
  #readUntilBoundary(data: Buffer, position: number): number {
    const where = this.#state === 'content' ? 'in a part' : 'outside'
    const found = this.#delimiter.find(data, position, where)
    if (found === undefined) {
      const known = data.length - this.#delimiter.partialLength(data, position)
      this.#collect(data.subarray(position, known), this.#offset + known)
      return known
    }
    if (this.#state === 'epilogue')
      throw invalidForm('The form continues after its closing boundary.')
    if (this.#state === 'content') this.#endPart(data.subarray(position, found), found)
    this.#state = 'boundary'
    return found
  }

  #collect(content: Buffer, until: number): void {
    if (this.#state !== 'content' || !this.#part) return
    // The last two bytes may be the line break before the boundary.
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
    const param = shorten(part.name)
    throw tooLarge(`The part \`${param}\` of the form exceeds ${formPartBytes} bytes.`, param)
  }

  /** Reads `--boundary`, blanks and the line end, or `--boundary--`. */
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
    this.#addPadding(after, lineEnd)
    this.#state = 'head'
    return lineEnd
  }

  /** Reads the rest of the line of `--boundary--`: only blanks may follow. */
  #readClosing(data: Buffer, position: number): number {
    const lineEnd = endOfLine(data, position)
    if (lineEnd === undefined) return position
    this.#addPadding(position, lineEnd)
    this.#state = 'epilogue'
    return lineEnd
  }

  /** Records blanks by their positions in the current data. */
  #addPadding(start: number, end: number): void {
    if (end > start) this.#padding.push({ start: this.#offset + start, end: this.#offset + end })
  }

  /** Reads the headers of a part, from the line break after the boundary to the empty line. */
  #readHead(data: Buffer, position: number): number {
    const emptyLine = data.indexOf('\r\n\r\n', position)
    const length = (emptyLine < 0 ? data.length : emptyLine) - position
    if (length > maxHeadBytes) {
      throw tooLarge(`The headers of a part of the form exceed ${maxHeadBytes} bytes.`)
    }
    if (emptyLine < 0) return position
    if (this.#parts.length === maxParts) {
      throw tooLarge(`The form has more than ${maxParts} parts.`)
    }
    const bytes = data.subarray(position + 2, Math.max(emptyLine, position + 2))
    if (this.#delimiter.occursIn(bytes))
      throw invalidForm('A header in the form contains the boundary.')
    const head = readPartHead(bytes)
    checkWatchedPart(head, this.#parts, this.#rules)
    const start = this.#offset + emptyLine + 4
    this.#part = { ...head, start }
    this.#state = 'content'
    return emptyLine + 4
  }
}

const hyphen = 0x2d

/** The position of the line end after blanks; `undefined` if more input is needed. */
function endOfLine(data: Buffer, from: number): number | undefined {
  let at = from
  while (data[at] === 0x20 || data[at] === 0x09) at++
  if (at - from > maxPadding)
    throw invalidForm('A boundary in the form is followed by too many blanks.')
  const isPossible = at === data.length || (data[at] === 0x0d && at + 1 === data.length)
  if (isPossible) return undefined
  if (data[at] === 0x0d && data[at + 1] === 0x0a) return at
  if (data[at] === 0x0d || data[at] === 0x0a) throw wrongLineEnding()
  throw invalidForm('A line of the form has other text after the boundary.')
}

function tooLarge(message: string, param?: string): GatewayError {
  return new GatewayError('request_too_large', message, param === undefined ? {} : { param })
}
