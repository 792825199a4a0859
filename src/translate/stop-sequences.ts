import type { DeltaEvent, EndEvent, GenerateEvent } from '../generate/events.ts'
import type { Emit, EventMapper } from '../generate/mapper.ts'
import { BufferedText } from './buffered-text.ts'

/**
 * Ends an answer before the first of its stop sequences, for accounts that cannot be told of any. The
 * account writes on, unseen, so that what it counted is known in the end.
 */
export class StopSequences implements EventMapper {
  readonly #sequences: readonly string[]
  readonly #longest: number
  /** The ends of open texts that may be the beginning of a sequence, by their parts. */
  readonly #held = new Map<number, BufferedText>()
  readonly #choices = new Map<number, number>()
  /** What each cut answer ran into. */
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
      this.#held.set(event.index, new BufferedText(event.index))
    }
    const held = event.type === 'delta' ? this.#held.get(event.index) : undefined
    if (event.type === 'delta' && held) return this.#read(event, held, emit)
    if (event.type === 'end') this.#release(event, emit)
    emit(event)
  }

  #isCut(index: number): boolean {
    return this.#cut.has(this.#choices.get(index) ?? 0)
  }

  #read({ index, text, logprobs }: DeltaEvent, held: BufferedText, emit: Emit): void {
    held.add(text, logprobs)
    const whole = held.text
    const found = this.#first(whole)
    held.tell(found ? found.at : whole.length - this.#possible(whole), emit)
    if (!found) return
    this.#held.delete(index)
    emit({ type: 'end', index })
    this.#cut.set(this.#choices.get(index) ?? 0, found.sequence)
  }

  #release({ index }: EndEvent, emit: Emit): void {
    const held = this.#held.get(index)
    held?.tell(held.text.length, emit)
    this.#held.delete(index)
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

  /** How much of the text's end could be the beginning of a sequence. Characters. */
  #possible(text: string): number {
    for (let length = Math.min(text.length, this.#longest - 1); length > 0; length--) {
      const end = text.slice(text.length - length)
      if (this.#sequences.some((sequence) => sequence.startsWith(end))) return length
    }
    return 0
  }
}
