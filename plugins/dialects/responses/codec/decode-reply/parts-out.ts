import type { Citation, Signature, TokenLogprob } from '../../../../../src/generate/content.ts'
import type { GenerateEvent, PartHead } from '../../../../../src/generate/events.ts'
import { betweenPieces } from '../reasoning.ts'

/** Numbers the parts of a reply that is read, and knows what kinds of them there are. */
export class Parts {
  hasCalls = false
  hasRefusal = false
  #count = 0
  readonly #emit: (event: GenerateEvent) => void

  constructor(emit: (event: GenerateEvent) => void) {
    this.#emit = emit
  }

  begin(part: PartHead): number {
    const index = this.#count++
    if (part.type === 'tool_call') this.hasCalls = true
    if (part.type === 'refusal') this.hasRefusal = true
    this.#emit({ type: 'part', index, choice: 0, part })
    return index
  }

  emit(event: GenerateEvent): void {
    this.#emit(event)
  }
}

/** One part as it comes. It begins with its first text, so that an empty one never was. */
export class PartReader {
  readonly #parts: Parts
  readonly #head: PartHead
  #index = -1
  #length = 0
  #piece = -1
  #citations = 0
  #hasEnded = false

  constructor(parts: Parts, head: PartHead) {
    this.#parts = parts
    this.#head = head
  }

  get hasBegun(): boolean {
    return this.#index >= 0
  }

  begin(): void {
    if (this.#index < 0) this.#index = this.#parts.begin(this.#head)
  }

  /** More text. Reasoning comes in pieces, which are set apart from each other. */
  append(text: string, piece = 0, logprobs?: readonly TokenLogprob[]): void {
    if (text === '' || this.#hasEnded) return
    this.begin()
    const isNext = piece !== this.#piece && this.#length > 0
    const told = isNext ? betweenPieces + text : text
    this.#piece = piece
    this.#length += told.length
    const index = this.#index
    if (!logprobs) this.#parts.emit({ type: 'delta', index, text: told })
    else this.#parts.emit({ type: 'delta', index, text: told, logprobs })
  }

  /** The whole text, of which what has not come yet is appended. */
  fill(whole: string): void {
    if (whole.length > this.#length) this.append(whole.slice(this.#length), this.#piece)
  }

  cite(citation: Citation): void {
    this.#citations++
    if (this.#isOpen) this.#parts.emit({ type: 'citation', index: this.#index, citation })
  }

  /** All citations, of which those are told that have not come yet. */
  fillCitations(citations: readonly Citation[]): void {
    for (const citation of citations.slice(this.#citations)) this.cite(citation)
  }

  sign(signature: Signature): void {
    if (this.#hasEnded) return
    this.begin()
    this.#parts.emit({ type: 'signature', index: this.#index, signature })
  }

  end(): void {
    if (this.#isOpen) this.#parts.emit({ type: 'end', index: this.#index })
    this.#hasEnded = true
  }

  get #isOpen(): boolean {
    return this.#index >= 0 && !this.#hasEnded
  }
}
