import type { Citation, Signature, TokenLogprob } from '../../../../../src/generate/content.ts'
import type { GenerateEvent, PartHead } from '../../../../../src/generate/events.ts'

/** Emits the events of one reply's parts, and numbers the parts in the order in which they begin. */
export class PartEmitter {
  readonly #emit: (event: GenerateEvent) => void
  #count = 0
  readonly #answered = new Set<number>()

  constructor(emit: (event: GenerateEvent) => void) {
    this.#emit = emit
  }

  /** Whether any part has begun. */
  get hasBegun(): boolean {
    return this.#count > 0
  }

  /** Whether a choice has more than thoughts. */
  isAnswered(choice: number): boolean {
    return this.#answered.has(choice)
  }

  /** Begins a part and returns its index. */
  begin(choice: number, part: PartHead): number {
    if (part.type !== 'reasoning') this.#answered.add(choice)
    const index = this.#count++
    this.#emit({ type: 'part', index, choice, part })
    return index
  }

  delta(index: number, text: string): void {
    this.#emit({ type: 'delta', index, text })
  }

  deltaWith(index: number, text: string, logprobs: readonly TokenLogprob[]): void {
    this.#emit({ type: 'delta', index, text, logprobs })
  }

  sign(index: number, signature: Signature): void {
    this.#emit({ type: 'signature', index, signature })
  }

  cite(index: number, citation: Citation): void {
    this.#emit({ type: 'citation', index, citation })
  }

  end(index: number): void {
    this.#emit({ type: 'end', index })
  }
}
