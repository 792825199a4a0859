import type { Citation, Signature, TokenLogprob } from '../../../../../src/generate/content.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete'

/** An item of a reply that is written, from its beginning to its end. */
export interface OutputItem {
  readonly id: string
  /** Whether something of it is still being written. */
  readonly isOpen: boolean
  /** Signatures that this item has no place for; each becomes an item of its own behind it. */
  readonly tokens: readonly string[]
  /** The item as it is now. */
  json(status: ItemStatus): JsonObject
}

/** Writes one part of a reply. */
export interface PartWriter {
  delta(text: string, logprobs?: readonly TokenLogprob[]): void
  cite(citation: Citation): void
  sign(signature: Signature): void
  end(): void
}

/** For what this dialect has no form for. */
export const noParent: PartWriter = {
  delta: () => undefined,
  cite: () => undefined,
  sign: () => undefined,
  end: () => undefined,
}

/** An item of reasoning that has nothing but the signature of the item before it. */
export class SealItem implements OutputItem {
  readonly id: string
  readonly isOpen = false
  readonly tokens = []
  readonly #token: string

  constructor(id: string, token: string) {
    this.id = id
    this.#token = token
  }

  json(): JsonObject {
    return { id: this.id, type: 'reasoning', summary: [], encrypted_content: this.#token }
  }
}
