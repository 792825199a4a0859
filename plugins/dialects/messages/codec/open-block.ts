import type { Citation, Signature } from '../../../../src/generate/content.ts'
import type { GenerateEvent, PartHead } from '../../../../src/generate/events.ts'
import { argumentsOf } from './tool-input.ts'

/** `ignored`: it says nothing to clients of other dialects. */
export type BlockKind = 'text' | 'thinking' | 'redacted' | 'refusal' | 'call' | 'ignored'

const heads = {
  text: { type: 'text' },
  refusal: { type: 'refusal' },
  thinking: { type: 'reasoning', form: 'summary' },
  redacted: { type: 'reasoning', form: 'redacted' },
} as const satisfies Partial<Record<BlockKind, PartHead>>

/** A block that an account is writing, which is a part as soon as it has something to say. */
export class OpenBlock {
  readonly kind: BlockKind
  readonly #emit: (event: GenerateEvent) => void
  readonly #nextIndex: () => number
  #index = -1
  /** What a call's arguments are where no delta says it. */
  #arguments: string | undefined
  readonly #early: Citation[] = []

  constructor(kind: BlockKind, emit: (event: GenerateEvent) => void, nextIndex: () => number) {
    this.kind = kind
    this.#emit = emit
    this.#nextIndex = nextIndex
  }

  call(head: PartHead, input: unknown): void {
    this.#arguments = argumentsOf(input)
    this.#begin(head)
  }

  add(text: unknown): void {
    if (typeof text !== 'string' || text === '' || this.kind === 'ignored') return
    if (this.#index < 0) this.#begin()
    this.#arguments = undefined
    this.#emit({ type: 'delta', index: this.#index, text })
  }

  sign(signature: Signature | undefined): void {
    if (!signature || this.kind === 'ignored') return
    if (this.#index < 0) this.#begin()
    this.#emit({ type: 'signature', index: this.#index, signature })
  }

  /** Citations may come before the words that they are for. */
  cite(citation: Citation): void {
    if (this.#index < 0) this.#early.push(citation)
    else this.#emit({ type: 'citation', index: this.#index, citation })
  }

  end(): void {
    if (this.#index < 0) return
    if (this.#arguments !== undefined) this.add(this.#arguments)
    this.#emit({ type: 'end', index: this.#index })
  }

  #begin(head?: PartHead): void {
    const { kind } = this
    this.#index = this.#nextIndex()
    const part = head ?? heads[kind as keyof typeof heads]
    this.#emit({ type: 'part', index: this.#index, choice: 0, part })
    for (const citation of this.#early) this.cite(citation)
  }
}
