import type { DeltaEvent, EndEvent, GenerateEvent } from '../generate/events.ts'
import type { Emit, EventMapper } from '../generate/mapper.ts'
import { TextMatcher } from '../lib/text-matcher.ts'
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
