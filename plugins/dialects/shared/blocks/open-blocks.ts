import type { Citation, Signature } from '../../../../src/generate/content.ts'
import type { GenerateEvent, PartHead } from '../../../../src/generate/events.ts'
import { argumentsTextOf } from './tool-input.ts'
import { TextMap } from '../../../../src/lib/text-map.ts'

/** The kinds of blocks. Clients of other dialects cannot read `ignored` ones. */
type BlockKind = 'text' | 'thinking' | 'redacted' | 'refusal' | 'call' | 'image' | 'ignored'

const heads = {
  text: { type: 'text' },
  refusal: { type: 'refusal' },
  thinking: { type: 'reasoning', form: 'summary' },
  redacted: { type: 'reasoning', form: 'redacted' },
} as const satisfies Partial<Record<BlockKind, PartHead>>

/** An open block of an account's stream. It becomes a part with its first content. */
export class OpenBlock {
  readonly kind: BlockKind
  readonly #emit: (event: GenerateEvent) => void
  readonly #nextIndex: () => number
  #index = -1
  /** The arguments of a call without deltas. */
  #arguments: string | undefined
  /** Citations that precede the text. */
  readonly #pendingCitations: Citation[] = []

  constructor(kind: BlockKind, emit: (event: GenerateEvent) => void, nextIndex: () => number) {
    this.kind = kind
    this.#emit = emit
    this.#nextIndex = nextIndex
  }

  /** Begins a call. `input` is its arguments if no delta follows. */
  call(head: PartHead, input: unknown): void {
    this.#arguments = argumentsTextOf(input)
    this.#begin(head)
  }

  /** Emits a medium, which is complete. */
  show(head: PartHead): void {
    this.#begin(head)
  }

  /** Emits a delta. */
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

  /** Emits a citation, or stores it until the text begins. */
  cite(citation: Citation): void {
    if (this.#index < 0) this.#pendingCitations.push(citation)
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
    for (const citation of this.#pendingCitations) this.cite(citation)
  }
}

/** The open blocks of an account's stream, by their index. */
export class OpenBlocks {
  readonly #emit: (event: GenerateEvent) => void
  readonly #nextPart: () => number
  readonly #blocks = new TextMap<OpenBlock, unknown>()
  /** The block of the last event: most events belong to the same block as the event before. */
  #latest: OpenBlock | undefined
  #latestAt: unknown

  constructor(emit: (event: GenerateEvent) => void) {
    let parts = 0
    this.#emit = emit
    this.#nextPart = () => parts++
  }

  /** Opens a block; ends the open block with the same index. */
  begin(at: unknown, kind: BlockKind): OpenBlock {
    this.close(at)
    const block = new OpenBlock(kind, this.#emit, this.#nextPart)
    this.#blocks.set(at, block)
    this.#latest = block
    this.#latestAt = at
    return block
  }

  /**
   * Returns the block for a delta of this kind. It opens a block where the upstream did not, or where the
   * open block has another kind. A delta of a call that was not opened is ignored: its name is unknown.
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

  closeAll(): void {
    for (const at of this.#blocks.keys()) this.close(at)
  }
}
