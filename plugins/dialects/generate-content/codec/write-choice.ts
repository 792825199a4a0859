import type { JsonObject } from '../../../../src/codec.ts'
import type { Citation } from '../../../../src/generate/content.ts'
import type { Stop } from '../../../../src/generate/result.ts'
import { type PlacedCitation, writeCitations } from './citations.ts'
import type { OpenPart } from './open-part.ts'
import { thoughtPart, WaitingSignature } from './reply-parts.ts'
import { writeStop } from './stop.ts'

/**
 * Writes one candidate. Its parts come one after the other here: while one is open, what belongs to
 * later ones waits, so that calls that come at the same time keep their order.
 */
export class ChoiceWriter {
  readonly waiting = new WaitingSignature()
  readonly #index: number
  readonly #write: (candidate: string) => void
  readonly #partsEnd: string
  /** Parts that are not written to their end, in order. The first one is written as it comes. */
  readonly #queue: OpenPart[] = []
  readonly #citations: PlacedCitation[] = []
  #said = ''
  #hasRefusal = false
  #hasCalls = false
  #stop: Stop = { reason: 'stop' }

  constructor(index: number, write: (candidate: string) => void) {
    this.#index = index
    this.#write = write
    this.#partsEnd = `],"role":"model"},"index":${index}`
  }

  begin(part: OpenPart): void {
    part.start = this.#said.length
    if (part.head.type === 'refusal') this.#hasRefusal = true
    if (part.head.type === 'tool_call') {
      part.isFirstCall = !this.#hasCalls
      part.thought = this.waiting.take()
      this.#hasCalls = true
    }
    this.#queue.push(part)
  }

  /** A whole part as JSON, and further members of the candidate. */
  write(owner: OpenPart, part: string, members = ''): void {
    const candidate = this.#candidate(part, members)
    if (this.#queue[0] === owner) this.#write(candidate)
    else owner.held.push(candidate)
  }

  /** Writes the signature that waits, if there is one, for a part that does not take it. */
  flush(owner: OpenPart): void {
    const signature = this.waiting.take()
    if (signature !== undefined) this.writeThought(owner, signature)
  }

  /** Writes a signature as a thought of its own. */
  writeThought(owner: OpenPart, signature: string): void {
    this.write(owner, JSON.stringify(thoughtPart('', signature)))
  }

  end(): void {
    while (this.#queue[0]?.isEnded) {
      this.#queue.shift()
      for (const candidate of this.#queue[0]?.held.splice(0) ?? []) this.#write(candidate)
    }
  }

  said(text: string): void {
    this.#said += text
  }

  cite(citation: Citation, part: OpenPart): void {
    this.#citations.push({ citation, partStart: part.start })
  }

  stop(stop: Stop): void {
    this.#stop = stop
    if (!this.waiting.isEmpty) this.#write(this.#candidate(this.#waitingPart()))
  }

  #candidate(part: string, members = ''): string {
    return `{"content":{"parts":[${part}${this.#partsEnd}${members}}`
  }

  #waitingPart(): string {
    return JSON.stringify(thoughtPart('', this.waiting.take()))
  }

  /** The candidate of the last chunk. */
  get ending(): JsonObject {
    const citations = this.#citations
    return {
      content: { parts: [{ text: '' }], role: 'model' },
      finishReason: writeStop(this.#stop, this.#hasRefusal),
      index: this.#index,
      ...(citations.length > 0 && { citationMetadata: writeCitations(citations, this.#said) }),
    }
  }
}
