import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { Citation } from '../../../../../src/generate/content.ts'
import type { Stop } from '../../../../../src/generate/result.ts'
import { type PlacedCitation, writeCitations } from '../citations.ts'
import type { OpenPart, CandidateWriter } from './open-part.ts'
import { PendingSignature, thoughtPart } from './reply-parts.ts'
import { writeStop } from '../stop.ts'

/** The destination of one candidate's chunks. */
export interface ChunkSink {
  write(candidate: string): void
  /** Writes a chunk that has only a text; absent where the framing has no faster way. */
  readonly writeText?: (text: string) => void
}

const beginning = '{"content":{"parts":['
const endOf = (index: number) => `],"role":"model"},"index":${index}`

/** Returns the JSON around the text of a candidate that has only a text. */
export function textSlot(index: number): { before: string; after: string } {
  return { before: `${beginning}{"text":`, after: `}${endOf(index)}}` }
}

/**
 * Writes one candidate, one part after the other. Chunks of later parts wait while a part is open, so that
 * simultaneous calls keep their order.
 */
export class ChoiceWriter implements CandidateWriter {
  readonly pendingSignature = new PendingSignature()
  readonly #index: number
  readonly #sink: ChunkSink
  readonly #partsEnd: string
  /** The parts in order, with `undefined` for those that are written. */
  readonly #queue: (OpenPart | undefined)[] = []
  /** The place of the first part that is not written. Its chunks are written at once. */
  #first = 0
  readonly #citations: PlacedCitation[] = []
  #text = ''
  #hasRefusal = false
  #hasCalls = false
  #stop: Stop = { reason: 'stop' }

  constructor(index: number, sink: ChunkSink) {
    this.#index = index
    this.#sink = sink
    this.#partsEnd = endOf(index)
  }

  begin(part: OpenPart): void {
    part.start = this.#text.length
    if (part.head.type === 'refusal') this.#hasRefusal = true
    if (part.head.type === 'tool_call') {
      part.isFirstCall = !this.#hasCalls
      part.reasoningSignature = this.pendingSignature.take()
      this.#hasCalls = true
    }
    this.#queue.push(part)
  }

  write(owner: OpenPart, part: string, members = ''): void {
    const candidate = this.#candidate(part, members)
    if (this.#queue[this.#first] === owner) this.#sink.write(candidate)
    else owner.buffered.push(candidate)
  }

  writeText(owner: OpenPart, text: string): void {
    const { writeText } = this.#sink
    if (writeText && this.#queue[this.#first] === owner) writeText(text)
    else this.write(owner, `{"text":${JSON.stringify(text)}}`)
  }

  flush(owner: OpenPart): void {
    const signature = this.pendingSignature.take()
    if (signature !== undefined) this.writeThought(owner, signature)
  }

  writeThought(owner: OpenPart, signature: string): void {
    this.write(owner, JSON.stringify(thoughtPart('', signature)))
  }

  end(): void {
    while (this.#queue[this.#first]?.isEnded) {
      // Not `shift`, which moves all the parts behind it: calls may be open by the ten thousand.
      this.#queue[this.#first++] = undefined
      for (const candidate of this.#queue[this.#first]?.buffered.splice(0) ?? []) {
        this.#sink.write(candidate)
      }
    }
  }

  recordText(text: string): void {
    this.#text += text
  }

  cite(citation: Citation, part: OpenPart): void {
    this.#citations.push({ citation, partStart: part.start })
  }

  /** Records why the candidate stopped, and writes the pending signature if there is one. */
  stop(stop: Stop): void {
    this.#stop = stop
    const signature = this.pendingSignature.take()
    if (signature === undefined) return
    this.#sink.write(this.#candidate(JSON.stringify(thoughtPart('', signature))))
  }

  #candidate(part: string, members = ''): string {
    return `${beginning}${part}${this.#partsEnd}${members}}`
  }

  /** The candidate of the last chunk. */
  get ending(): JsonObject {
    const citations = this.#citations
    return {
      content: { parts: [{ text: '' }], role: 'model' },
      finishReason: writeStop(this.#stop, this.#hasRefusal),
      index: this.#index,
      ...(citations.length > 0 && { citationMetadata: writeCitations(citations, this.#text) }),
    }
  }
}
