import type { GenerateCodec, JsonObject, Piece } from '../codec.ts'

/** A stream whose events never repeat is not looked at any longer. */
const mostDisappointments = 16

/**
 * Knows a frame again that is the one before but for its text, as nearly all of a stream are, so that
 * it need not be parsed: parsing was half of what translation costs. What is not character for
 * character the same around the text is not known.
 */
export class RepeatedFrames {
  readonly #codec: GenerateCodec
  #piece: Piece | undefined
  /** What stands around the text, with gaps where members stand that mean nothing. */
  #before: readonly string[] = []
  #after: readonly string[] = []
  #disappointments = 0
  #hasMatched = false
  name = ''
  /** The event of the frame that was found. */
  event: JsonObject = {}

  constructor(codec: GenerateCodec) {
    this.#codec = codec
  }

  /** The position behind the frame at `at`; the same position where the frame must be read. */
  find(frames: string, at: number): number {
    const piece = this.#piece
    if (!piece) return at
    const start = passOver(frames, at, this.#before)
    if (start < 0) return at
    const end = plainEnd(frames, start)
    if (end < 0) return at
    const behind = passOver(frames, end, this.#after)
    if (behind < 0) return at
    piece.holder[piece.key] = frames.slice(start, end)
    this.#hasMatched = true
    return behind
  }

  /** Looks at a frame that had to be parsed, and at the event in it. */
  learn(frame: string, data: string, name: string, event: JsonObject): void {
    if (this.#disappointments > mostDisappointments) return
    this.#disappointments = this.#hasMatched ? 0 : this.#disappointments + 1
    this.#hasMatched = false
    this.#piece = undefined
    const piece = this.#codec.pieceOf?.(event)
    if (!piece) return
    const { holder, key } = piece
    const text = JSON.stringify(holder[key])
    const member = `"${key}":${text}`
    const at = data.indexOf(member)
    // Data of several lines does not stand in its frame as it is.
    const dataAt = frame.lastIndexOf(data)
    if (at < 0 || dataAt < 0 || data.includes(member, at + 1)) return
    const end = dataAt + at + member.length
    this.#piece = piece
    this.name = name
    this.event = event
    this.#before = withGaps(frame.slice(0, end - text.length + 1), this.#codec.noise)
    this.#after = withGaps(frame.slice(end - 1), this.#codec.noise)
  }
}

const backslash = 0x5c

/** Where a string ends that begins here, or -1 where it is no plain one: nothing is unescaped here. */
function plainEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) return at
    if (code === backslash || code < space) return -1
  }
  return -1
}

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

const space = 0x20
const quote = 0x22
const digit0 = 0x30
const digit9 = 0x39

/** Behind a plain string or whole number; where there is neither, nothing is passed over. */
function behindValue(data: string, from: number): number {
  if (data.charCodeAt(from) === quote) {
    const end = plainEnd(data, from + 1)
    return end < 0 ? from : end + 1
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
