import type { DeltaEvent, EndEvent, GenerateEvent } from '../generate/events.ts'
import type { Emit, EventMapper } from '../generate/mapper.ts'
import { BufferedText } from './buffered-text.ts'

/**
 * Ends a reply before the first stop sequence in it, for accounts without stop sequences. The rest of
 * the account's reply is read but not emitted, because its end contains the usage.
 */
export class StopSequences implements EventMapper {
  readonly #sequences: readonly string[]
  readonly #longest: number
  /** By the index of the part: the end of an open text that may be the beginning of a sequence. */
  readonly #buffered = new Map<number, BufferedText>()
  /** The choice of each part. */
  readonly #choices = new Map<number, number>()
  /** By choice: the sequence that cut it. */
  readonly #cut = new Map<number, string>()

  constructor(sequences: readonly string[]) {
    this.#sequences = sequences.filter((sequence) => sequence !== '')
    this.#longest = Math.max(0, ...this.#sequences.map(({ length }) => length))
  }

  map(event: GenerateEvent, emit: Emit): void {
    if (event.type === 'stop') return this.#stop(event, emit)
    if (event.type === 'part') this.#choices.set(event.index, event.choice)
    if ('index' in event && this.#isCut(event.index)) return
    if (event.type === 'part' && event.part.type === 'text') {
      this.#buffered.set(event.index, new BufferedText(event.index))
    }
    const buffered = event.type === 'delta' ? this.#buffered.get(event.index) : undefined
    if (event.type === 'delta' && buffered) return this.#read(event, buffered, emit)
    if (event.type === 'end') this.#release(event, emit)
    emit(event)
  }

  #isCut(index: number): boolean {
    return this.#cut.has(this.#choices.get(index) ?? 0)
  }

  #read({ index, text, logprobs }: DeltaEvent, buffered: BufferedText, emit: Emit): void {
    buffered.add(text, logprobs)
    const whole = buffered.text
    const found = this.#first(whole)
    buffered.release(found ? found.at : whole.length - this.#possible(whole), emit)
    if (!found) return
    this.#buffered.delete(index)
    emit({ type: 'end', index })
    this.#cut.set(this.#choices.get(index) ?? 0, found.sequence)
  }

  #release({ index }: EndEvent, emit: Emit): void {
    const buffered = this.#buffered.get(index)
    buffered?.release(buffered.text.length, emit)
    this.#buffered.delete(index)
  }

  #stop(event: Extract<GenerateEvent, { type: 'stop' }>, emit: Emit): void {
    const sequence = this.#cut.get(event.choice)
    emit(sequence === undefined ? event : { ...event, stop: { reason: 'stop', sequence } })
  }

  #first(text: string): { at: number; sequence: string } | undefined {
    let first: { at: number; sequence: string } | undefined
    for (const sequence of this.#sequences) {
      const at = text.indexOf(sequence)
      if (at >= 0 && (!first || at < first.at)) first = { at, sequence }
    }
    return first
  }

  /** The number of characters at the end of the text that could begin a sequence. */
  #possible(text: string): number {
    for (let length = Math.min(text.length, this.#longest - 1); length > 0; length--) {
      const end = text.slice(text.length - length)
      if (this.#sequences.some((sequence) => sequence.startsWith(end))) return length
    }
    return 0
  }
}
