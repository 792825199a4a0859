import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { PartHead } from '../../../../../src/generate/events.ts'
import { objectsIn, stringAt } from '../../../../../src/lib/json/read.ts'
import { readCitations } from '../citations.ts'
import { imageOf } from '../images.ts'
import { PartReader, type PartEmitter } from './part-reader.ts'
import { joinReasoningTexts, reasoningFormOf, signatureOf } from '../reasoning.ts'

/** The kind of text that a delta event extends. */
export type Channel = 'text' | 'refusal' | 'summary' | 'raw' | 'input'

/** Reads one streamed output item. */
export interface ItemReader {
  /** Returns the part that an event extends; `undefined` if the item has no such part. */
  part(channel: Channel, at: number): PartReader | undefined
  /** Ends the item; `item` is the complete item, if the stream contains it. */
  finish(item?: JsonObject): void
}

/**
 * Reads a message. Each of its texts and refusals is a separate part. Some servers put reasoning into
 * messages, which ends with the next text.
 */
export class MessageReader implements ItemReader {
  readonly #parts: PartEmitter
  /** Keyed by `content_index`, which is not necessarily contiguous. */
  readonly #texts = new Map<number, PartReader>()
  readonly #refusals = new Map<number, PartReader>()
  readonly #reasoning: ReasoningReader

  constructor(parts: PartEmitter) {
    this.#parts = parts
    this.#reasoning = new ReasoningReader(parts, {})
  }

  part(channel: Channel, at: number): PartReader | undefined {
    if (channel === 'text') return this.#text(at)
    return channel === 'refusal' ? this.#refusal(at) : this.#reasoning.part(channel)
  }

  finish(item?: JsonObject): void {
    for (const [at, part] of objectsIn(item?.content).entries()) this.#fill(part, at)
    this.#reasoning.finish()
    this.#texts.forEach((part) => part.end())
    this.#refusals.forEach((part) => part.end())
  }

  #fill(part: JsonObject, at: number): void {
    if (part.type === 'refusal') return this.#refusal(at).fill(stringAt(part, 'refusal') ?? '')
    const form = reasoningFormOf(part)
    if (form) return this.#reasoning.part(form)?.fillPiece(stringAt(part, 'text') ?? '', at)
    const reader = this.#text(at)
    reader.fill(stringAt(part, 'text') ?? '')
    reader.fillCitations(readCitations(part.annotations))
  }

  #text(at: number): PartReader {
    return this.#texts.get(at) ?? this.#begin(this.#texts, at, { type: 'text' })
  }

  #refusal(at: number): PartReader {
    return this.#refusals.get(at) ?? this.#begin(this.#refusals, at, { type: 'refusal' })
  }

  #begin(readers: Map<number, PartReader>, at: number, head: PartHead): PartReader {
    this.#reasoning.finish()
    const reader = new PartReader(this.#parts, head)
    readers.set(at, reader)
    return reader
  }
}

/** Reads a reasoning item: a summary, raw reasoning, or both. The last part carries the signature. */
export class ReasoningReader implements ItemReader {
  readonly #summary: PartReader
  readonly #raw: PartReader
  readonly #redacted: PartReader
  readonly #added: JsonObject

  constructor(parts: PartEmitter, added: JsonObject) {
    this.#summary = new PartReader(parts, { type: 'reasoning', form: 'summary' })
    this.#raw = new PartReader(parts, { type: 'reasoning', form: 'raw' })
    this.#redacted = new PartReader(parts, { type: 'reasoning', form: 'redacted' })
    this.#added = added
  }

  part(channel: Channel): PartReader | undefined {
    if (channel === 'summary') return this.#summary
    return channel === 'raw' ? this.#raw : undefined
  }

  finish(item: JsonObject = {}): void {
    this.#summary.fill(joinReasoningTexts(item.summary))
    this.#raw.fill(joinReasoningTexts(item.content))
    const last = [this.#raw, this.#summary].find((part) => part.hasBegun) ?? this.#redacted
    const signature = signatureOf(item) ?? signatureOf(this.#added)
    if (signature) last.sign(signature)
    for (const part of [this.#summary, this.#raw, this.#redacted]) part.end()
  }
}

/** Reads a generated image, which has no deltas. */
export class ImageReader implements ItemReader {
  readonly #parts: PartEmitter
  #isDone = false

  constructor(parts: PartEmitter) {
    this.#parts = parts
  }

  part(): undefined {}

  finish(item: JsonObject = {}): void {
    const image = imageOf(item)
    if (this.#isDone || image?.source.kind !== 'data') return
    this.#isDone = true
    const { mediaType = 'image/png', source } = image
    const index = this.#parts.begin({ type: 'image', mediaType, base64: source.base64 })
    this.#parts.emit({ type: 'end', index })
  }
}

/** Ignores an item of a hosted tool, which the neutral model does not cover. */
export const noopReader: ItemReader = { part: () => undefined, finish: () => undefined }
