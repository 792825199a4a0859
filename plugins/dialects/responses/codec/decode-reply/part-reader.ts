import type { Citation, Signature, TokenLogprob } from '../../../../../src/generate/content.ts'
import type { GenerateEvent, PartHead } from '../../../../../src/generate/events.ts'
import { partSeparator } from '../reasoning.ts'

/** Numbers the parts of a decoded reply, emits their events and records which kinds occur. */
export class PartEmitter {
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

/** Reads one streamed part. The part begins with its first text, so empty parts emit no events. */
export class PartReader {
  readonly #parts: PartEmitter
  readonly #head: PartHead
  #index = -1
  #length = 0
  #piece = -1
  #citations = 0
  readonly #pieces = new Set<number>()
  #hasEnded = false

  constructor(parts: PartEmitter, head: PartHead) {
    this.#parts = parts
    this.#head = head
  }

  get hasBegun(): boolean {
    return this.#index >= 0
  }

  begin(): void {
    if (this.#index < 0) this.#index = this.#parts.begin(this.#head)
  }

  /** Appends text. A separator precedes the text of a new summary or reasoning part. */
  append(text: string, piece = 0, logprobs?: readonly TokenLogprob[]): void {
    if (text === '' || this.#hasEnded) return
    this.begin()
    const isNext = piece !== this.#piece && this.#length > 0
    const separated = isNext ? partSeparator + text : text
    if (piece !== this.#piece) this.#pieces.add(piece)
    this.#piece = piece
    this.#length += separated.length
    const index = this.#index
    if (!logprobs) this.#parts.emit({ type: 'delta', index, text: separated })
    else this.#parts.emit({ type: 'delta', index, text: separated, logprobs })
  }

  /** Appends the rest of the complete text. */
  fill(complete: string): void {
    if (complete.length > this.#length) this.append(complete.slice(this.#length), this.#piece)
  }

  /** Appends the complete text of a summary or reasoning part, unless deltas of it came before. */
  fillPiece(complete: string, piece: number): void {
    if (!this.#pieces.has(piece)) this.append(complete, piece)
  }

  cite(citation: Citation): void {
    this.#citations++
    if (this.#isOpen) this.#parts.emit({ type: 'citation', index: this.#index, citation })
  }

  /** Emits the citations of the complete list that have not been emitted yet. */
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
