import type { GenerateEvent } from '../../../../src/generate/events.ts'
import { type BlockKind, OpenBlock } from './open-block.ts'

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
