import type { Citation, Signature, TokenLogprob } from '../../../../../src/generate/content.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'

/** The status of an output item. */
export type ItemStatus = 'in_progress' | 'completed' | 'incomplete'

/** An output item under construction. */
export interface OutputItem {
  readonly id: string
  /** Whether a part of the item is unfinished. */
  readonly isOpen: boolean
  /** Signatures that the item cannot carry; each becomes a reasoning item that follows it. */
  readonly tokens: readonly string[]
  /** Returns the item in its current state. */
  json(status: ItemStatus): JsonObject
}

/** Writes one part of the reply. */
export interface PartWriter {
  delta(text: string, logprobs?: readonly TokenLogprob[]): void
  cite(citation: Citation): void
  sign(signature: Signature): void
  end(): void
}

/** Ignores a part that this dialect cannot express. */
export const noopWriter: PartWriter = {
  delta: () => undefined,
  cite: () => undefined,
  sign: () => undefined,
  end: () => undefined,
}

/** A reasoning item that carries only the signature of the preceding item. */
export class SignatureItem implements OutputItem {
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
