import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { Citation } from '../../../../../src/generate/content.ts'
import type { Stop } from '../../../../../src/generate/result.ts'
import { type PlacedCitation, writeCitations } from '../citations.ts'
import type { OpenPart, PartWriter } from './open-part.ts'
import { WaitingSignature, thoughtPart } from './reply-parts.ts'
import { writeStop } from '../stop.ts'

/** Where the chunks of one candidate go. */
export interface ChunkSink {
  write(candidate: string): void
  /** A chunk of nothing but a text; absent where there is no shorter way for it. */
  readonly writeText?: (text: string) => void
}

const beginning = '{"content":{"parts":['
const endOf = (index: number) => `],"role":"model"},"index":${index}`

/** What stands around the text of a candidate of nothing but a text. */
export function aroundText(index: number): { before: string; after: string } {
  return { before: `${beginning}{"text":`, after: `}${endOf(index)}}` }
}

/**
 * Writes one candidate. Its parts come one after the other here: while one is open, what belongs to
 * later ones waits, so that calls that come at the same time keep their order.
 */
export class ChoiceWriter implements PartWriter {
  readonly waiting = new WaitingSignature()
  readonly #index: number
  readonly #sink: ChunkSink
  readonly #partsEnd: string
  /** Parts that are not written to their end, in order. The first one is written as it comes. */
  readonly #queue: OpenPart[] = []
  readonly #citations: PlacedCitation[] = []
  #said = ''
  #hasRefusal = false
  #hasCalls = false
  #stop: Stop = { reason: 'stop' }

  constructor(index: number, sink: ChunkSink) {
    this.#index = index
    this.#sink = sink
    this.#partsEnd = endOf(index)
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
    if (this.#queue[0] === owner) this.#sink.write(candidate)
    else owner.held.push(candidate)
  }

  /** A part that is nothing but a text. */
  writeText(owner: OpenPart, text: string): void {
    const { writeText } = this.#sink
    if (writeText && this.#queue[0] === owner) writeText(text)
    else this.write(owner, `{"text":${JSON.stringify(text)}}`)
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
      for (const candidate of this.#queue[0]?.held.splice(0) ?? []) this.#sink.write(candidate)
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
    if (!this.waiting.isEmpty) this.#sink.write(this.#candidate(this.#waitingPart()))
  }

  #candidate(part: string, members = ''): string {
    return `${beginning}${part}${this.#partsEnd}${members}}`
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
