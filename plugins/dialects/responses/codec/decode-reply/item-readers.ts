import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { PartHead } from '../../../../../src/generate/events.ts'
import { objectsIn, stringAt } from '../../../../../src/lib/json/read.ts'
import { readCitations } from '../citations.ts'
import { imageOf } from '../images.ts'
import { PartReader, type Parts } from './parts-out.ts'
import { signatureOf, textsOf } from '../reasoning.ts'

/** What an event is more of. */
export type Channel = 'text' | 'refusal' | 'summary' | 'raw' | 'input'

/** Reads one output item while it comes. */
export interface ItemReader {
  /** The part that an event is about; `undefined` where the item has no such part. */
  part(channel: Channel, at: number): PartReader | undefined
  /** Ends it: with the item as a whole where it is known. */
  finish(item?: JsonObject): void
}

/** The texts of a message, each of which is a part of its own. */
export class MessageReader implements ItemReader {
  readonly #parts: Parts
  /** By `content_index`, which may be any number. */
  readonly #texts = new Map<number, PartReader>()
  readonly #refusals = new Map<number, PartReader>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  part(channel: Channel, at: number): PartReader | undefined {
    if (channel === 'text') return this.#text(at)
    return channel === 'refusal' ? this.#refusal(at) : undefined
  }

  finish(item?: JsonObject): void {
    for (const [at, part] of objectsIn(item?.content).entries()) this.#fill(part, at)
    this.#texts.forEach((part) => part.end())
    this.#refusals.forEach((part) => part.end())
  }

  #fill(part: JsonObject, at: number): void {
    if (part.type === 'refusal') return this.#refusal(at).fill(stringAt(part, 'refusal') ?? '')
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
    const reader = new PartReader(this.#parts, head)
    readers.set(at, reader)
    return reader
  }
}

/** A summary, what was thought, or both; the signature belongs to the last. */
export class ReasoningReader implements ItemReader {
  readonly #summary: PartReader
  readonly #raw: PartReader
  readonly #redacted: PartReader
  readonly #begun: JsonObject

  constructor(parts: Parts, begun: JsonObject) {
    this.#summary = new PartReader(parts, { type: 'reasoning', form: 'summary' })
    this.#raw = new PartReader(parts, { type: 'reasoning', form: 'raw' })
    this.#redacted = new PartReader(parts, { type: 'reasoning', form: 'redacted' })
    this.#begun = begun
  }

  part(channel: Channel): PartReader | undefined {
    if (channel === 'summary') return this.#summary
    return channel === 'raw' ? this.#raw : undefined
  }

  finish(item: JsonObject = {}): void {
    this.#summary.fill(textsOf(item.summary))
    this.#raw.fill(textsOf(item.content))
    const last = [this.#raw, this.#summary].find((part) => part.hasBegun) ?? this.#redacted
    const signature = signatureOf(item) ?? signatureOf(this.#begun)
    if (signature) last.sign(signature)
    for (const part of [this.#summary, this.#raw, this.#redacted]) part.end()
  }
}

/** A picture, which comes whole. */
export class ImageReader implements ItemReader {
  readonly #parts: Parts
  #isDone = false

  constructor(parts: Parts) {
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

/** An item of a hosted tool, which says nothing that others understand. */
export const silentReader: ItemReader = { part: () => undefined, finish: () => undefined }
