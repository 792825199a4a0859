import type { Citation, Signature } from '../../../../../src/generate/content.ts'
import type { GenerateEvent, PartHead } from '../../../../../src/generate/events.ts'
import { argumentsOf } from '../tool-input.ts'

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

/** The blocks that an account is writing, by the index that it gives them. */
export class OpenBlocks {
  readonly #emit: (event: GenerateEvent) => void
  readonly #nextPart: () => number
  readonly #blocks = new Map<unknown, OpenBlock>()
  /** The block of the last event: most events are of the same one. */
  #latest: OpenBlock | undefined
  #latestAt: unknown

  constructor(emit: (event: GenerateEvent) => void) {
    let parts = 0
    this.#emit = emit
    this.#nextPart = () => parts++
  }

  /** A new block; one that is open under the same index ends. */
  begin(at: unknown, kind: BlockKind): OpenBlock {
    this.close(at)
    const block = new OpenBlock(kind, this.#emit, this.#nextPart)
    this.#blocks.set(at, block)
    this.#latest = block
    this.#latestAt = at
    return block
  }

  /**
   * The block for a delta of this kind. Some upstreams forget to begin one, or put thoughts into
   * that of a text; only a call cannot be begun without its name.
   */
  at(at: unknown, kind: BlockKind): OpenBlock {
    if (at !== this.#latestAt) {
      this.#latestAt = at
      this.#latest = this.#blocks.get(at)
    }
    const block = this.#latest
    if (block && (block.kind === kind || block.kind === 'ignored')) return block
    return this.begin(at, kind === 'call' ? 'ignored' : kind)
  }

  close(at: unknown): void {
    this.#blocks.get(at)?.end()
    this.#blocks.delete(at)
    if (at === this.#latestAt) this.#latest = undefined
  }

  /** The one that `at` or `begin` gave last, if it is open. */
  get latest(): OpenBlock | undefined {
    return this.#latest
  }

  closeAll(): void {
    for (const at of this.#blocks.keys()) this.close(at)
  }
}
