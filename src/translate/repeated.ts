import type { GenerateCodec, JsonObject, Piece } from '../codec.ts'

/** A stream whose events never repeat is not looked at any longer. */
const mostDisappointments = 16

/**
 * Knows an event again that is the one before but for its text, as nearly all of a stream are, so that
 * it need not be parsed: parsing was half of what translation costs. What is not byte for byte the
 * same around the text is not known.
 */
export class RepeatedEvents {
  readonly #codec: GenerateCodec
  #name = ''
  #event: JsonObject | undefined
  #piece: Piece | undefined
  /** What stands around the text, with gaps where members stand that mean nothing. */
  #before: readonly string[] = []
  #after: readonly string[] = []
  #disappointments = 0
  #hasMatched = false

  constructor(codec: GenerateCodec) {
    this.#codec = codec
  }

  /** The event before with the text of this one; `undefined` where it must be parsed. */
  find(data: string, name: string): JsonObject | undefined {
    if (!this.#piece || name !== this.#name) return undefined
    const start = passOver(data, 0, this.#before)
    if (start < 0) return undefined
    const end = data.indexOf('"', start)
    if (end < 0 || passOver(data, end, this.#after) !== data.length) return undefined
    const text = data.slice(start, end)
    if (special.test(text)) return undefined
    this.#piece.holder[this.#piece.key] = text
    this.#hasMatched = true
    return this.#event
  }

  /** Looks at an event that had to be parsed. */
  learn(data: string, name: string, event: JsonObject): void {
    if (this.#disappointments > mostDisappointments) return
    this.#disappointments = this.#hasMatched ? 0 : this.#disappointments + 1
    this.#hasMatched = false
    this.#piece = this.#codec.pieceOf?.(event)
    if (!this.#piece) return
    const { holder, key } = this.#piece
    const text = JSON.stringify(holder[key])
    const member = `"${key}":${text}`
    const at = data.indexOf(member)
    if (at < 0 || data.includes(member, at + 1)) {
      this.#piece = undefined
      return
    }
    const start = at + member.length - text.length + 1
    this.#name = name
    this.#event = event
    this.#before = withGaps(data.slice(0, start), this.#codec.noise)
    this.#after = withGaps(data.slice(at + member.length - 1), this.#codec.noise)
  }
}

/** An escape would have to be undone, and control characters make it no JSON. */
// oxlint-disable-next-line no-control-regex
const special = /[\\\u0000-\u001f]/

/** The position behind all of these, or -1; between two of them stands a value of no meaning. */
function passOver(data: string, from: number, literals: readonly string[]): number {
  let at = from
  for (let index = 0; index < literals.length; index++) {
    if (index > 0) {
      const behind = behindValue(data, at)
      if (behind === at) return -1
      at = behind
    }
    const literal = literals[index] as string
    const end = at + literal.length
    // Comparing whole strings is several times faster than `startsWith`.
    if (data.slice(at, end) !== literal) return -1
    at = end
  }
  return at
}

const quote = 0x22
const digit0 = 0x30
const digit9 = 0x39

/** Behind a plain string or whole number; where there is neither, nothing is passed over. */
function behindValue(data: string, from: number): number {
  if (data.charCodeAt(from) === quote) {
    const end = data.indexOf('"', from + 1)
    return end < 0 || special.test(data.slice(from + 1, end)) ? from : end + 1
  }
  // No digit may follow a zero at the beginning.
  if (data.charCodeAt(from) === digit0) return from + 1
  let at = from
  for (let code = data.charCodeAt(at); code >= digit0 && code <= digit9;) {
    code = data.charCodeAt(++at)
  }
  return at
}

/** Splits text at the values of members that mean nothing. */
function withGaps(text: string, noise: readonly string[] = []): string[] {
  const literals: string[] = []
  let from = 0
  for (let at = firstOf(text, noise, 0); at >= 0; at = firstOf(text, noise, at)) {
    const behind = behindValue(text, at)
    if (behind === at) continue
    literals.push(text.slice(from, at))
    from = behind
    at = behind
  }
  literals.push(text.slice(from))
  return literals
}

/** Where the first value of such a member begins. */
function firstOf(text: string, noise: readonly string[], from: number): number {
  let first = -1
  for (const name of noise) {
    const member = `"${name}":`
    const at = text.indexOf(member, from)
    if (at >= 0 && (first < 0 || at + member.length < first)) first = at + member.length
  }
  return first
}
