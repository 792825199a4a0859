import type { DeltaEvent, EndEvent, GenerateEvent } from '../generate/events.ts'
import type { Emit, EventMapper } from '../generate/mapper.ts'
import { BufferedText } from './buffered-text.ts'

/** A text that may still be cut. */
interface OpenText {
  /** Its end that may be the beginning of a sequence. */
  readonly buffered: BufferedText
  /** For each sequence, as many of its first characters as the text ends with. */
  readonly matched: number[]
}

/**
 * Ends a reply before the first stop sequence in it, for accounts without stop sequences. The rest of
 * the account's reply is read but not emitted, because its end contains the usage.
 */
export class StopSequences implements EventMapper {
  readonly #sequences: readonly TextMatcher[]
  /** By the index of the part. */
  readonly #open = new Map<number, OpenText>()
  /** The choice of each part. */
  readonly #choices = new Map<number, number>()
  /** By choice: the sequence that cut it. */
  readonly #cut = new Map<number, string>()

  constructor(sequences: readonly string[]) {
    this.#sequences = sequences
      .filter((sequence) => sequence !== '')
      .map((sequence) => new TextMatcher(sequence))
  }

  map(event: GenerateEvent, emit: Emit): void {
    if (event.type === 'stop') return this.#stop(event, emit)
    if (event.type === 'part') this.#choices.set(event.index, event.choice)
    if ('index' in event && this.#isCut(event.index)) return
    if (event.type === 'part' && event.part.type === 'text') {
      const matched = this.#sequences.map(() => 0)
      this.#open.set(event.index, { buffered: new BufferedText(event.index), matched })
    }
    const open = event.type === 'delta' ? this.#open.get(event.index) : undefined
    if (event.type === 'delta' && open) return this.#read(event, open, emit)
    if (event.type === 'end') this.#release(event, emit)
    emit(event)
  }

  #isCut(index: number): boolean {
    return this.#cut.has(this.#choices.get(index) ?? 0)
  }

  #read({ index, text, logprobs }: DeltaEvent, { buffered, matched }: OpenText, emit: Emit): void {
    const before = buffered.length
    buffered.add(text, logprobs)
    const found = this.#first(text, before, matched)
    buffered.release(found ? found.at : buffered.length - Math.max(0, ...matched), emit)
    if (!found) return
    this.#open.delete(index)
    emit({ type: 'end', index })
    this.#cut.set(this.#choices.get(index) ?? 0, found.sequence)
  }

  #release({ index }: EndEvent, emit: Emit): void {
    const buffered = this.#open.get(index)?.buffered
    buffered?.release(buffered.length, emit)
    this.#open.delete(index)
  }

  #stop(event: Extract<GenerateEvent, { type: 'stop' }>, emit: Emit): void {
    const sequence = this.#cut.get(event.choice)
    emit(sequence === undefined ? event : { ...event, stop: { reason: 'stop', sequence } })
  }

  /** The sequence that begins first in the buffered text, whose last piece `text` begins at `start`. */
  #first(
    text: string,
    start: number,
    matched: number[],
  ): { at: number; sequence: string } | undefined {
    let first: { at: number; sequence: string } | undefined
    for (const [index, wanted] of this.#sequences.entries()) {
      const read = wanted.read(text, matched[index] ?? 0)
      matched[index] = read.matched
      const at = start + read.at - read.matched
      const isFound = read.matched === wanted.text.length
      if (isFound && (!first || at < first.at)) first = { at, sequence: wanted.text }
    }
    return first
  }
}

/**
 * A text that is looked for in another one that comes in pieces, in time that grows with the other one only (Knuth,
 * Morris and Pratt).
 */
class TextMatcher {
  readonly text: string
  /**
   * By the length of a beginning of the text: the length of the longest shorter beginning that it ends with. As far
   * as it has been needed: the other text seldom has much of a long one.
   */
  readonly #borders = [0, 0]

  /** `text` is not empty. */
  constructor(text: string) {
    this.text = text
  }

  /**
   * Reads a piece of the other text, of which the end so far is the first `matched` characters of this one. Returns
   * how many the end is then, and the position in the piece: behind all of this text, or the end of the piece.
   */
  read(piece: string, matched: number): { readonly matched: number; readonly at: number } {
    const { text } = this
    let at = 0
    let length = matched
    while (at < piece.length && length < text.length) {
      if (length === 0) at = indexOrEnd(piece, text.charAt(0), at)
      else if (piece.charCodeAt(at) !== text.charCodeAt(length)) {
        length = this.#border(length)
        continue
      }
      if (at === piece.length) break
      length++
      at++
    }
    // Now, so that a piece that does not go on does not need all at once.
    if (length > 0) this.#border(length)
    return { matched: length, at }
  }

  #border(length: number): number {
    const { text } = this
    const borders = this.#borders
    for (let known = borders.length; known <= length; known++) {
      const last = text.charCodeAt(known - 1)
      let border = borders[known - 1] as number
      while (border > 0 && text.charCodeAt(border) !== last) border = borders[border] as number
      borders.push(text.charCodeAt(border) === last ? border + 1 : 0)
    }
    return borders[length] as number
  }
}

function indexOrEnd(text: string, wanted: string, from: number): number {
  const at = text.indexOf(wanted, from)
  return at < 0 ? text.length : at
}
