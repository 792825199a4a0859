import type { Citation, Signature, TokenLogprob } from '../../../../../src/generate/content.ts'
import type { GenerateEvent, PartHead } from '../../../../../src/generate/events.ts'

/** Emits the events of one reply's parts, and numbers the parts in the order in which they begin. */
export class PartEmitter {
  readonly #emit: (event: GenerateEvent) => void
  #count = 0

  constructor(emit: (event: GenerateEvent) => void) {
    this.#emit = emit
  }

  /** Begins a part and returns its index. */
  begin(choice: number, part: PartHead): number {
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
