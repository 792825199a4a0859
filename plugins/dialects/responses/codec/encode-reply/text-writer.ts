import { append } from '../../../../../src/lib/append.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { Citation, Signature, TokenLogprob } from '../../../../../src/generate/content.ts'
import { writeCitation } from '../citations.ts'
import type { Frames } from './frames.ts'
import { writeLogprobs } from '../logprobs.ts'
import type { MessageItem, MessagePart } from './message-item.ts'
import type { PartWriter } from './output-item.ts'
import type { OutputPosition, OutputPositions } from './output-positions.ts'
import { signatureToken } from '../signed-parts.ts'

/** Writes a text as a content part of a message. Empty texts are left out. */
export class TextWriter implements PartWriter, MessagePart {
  readonly #frames: Frames
  readonly #positions: OutputPositions
  readonly #annotations: JsonObject[] = []
  /** Citations that precede the text. Their positions are known once it has ended. */
  #early: Citation[] | undefined
  readonly #logprobs: JsonObject[] = []
  #message: MessageItem | undefined
  #position: OutputPosition | undefined
  #writeDelta: ((text: string) => void) | undefined
  #text = ''
  isOpen = true

  constructor(frames: Frames, positions: OutputPositions) {
    this.#frames = frames
    this.#positions = positions
  }

  delta(text: string, logprobs?: readonly TokenLogprob[]): void {
    const writeDelta = (this.#writeDelta ??= this.#begin())
    this.#text += text
    if (!logprobs) return writeDelta(text)
    const encoded = writeLogprobs(logprobs)
    append(this.#logprobs, encoded)
    const fields = { ...this.#position, delta: text, logprobs: encoded }
    this.#frames.send('response.output_text.delta', fields)
  }

  cite(citation: Citation): void {
    if (!this.#position) return void (this.#early ??= []).push(citation)
    const annotation = writeCitation(citation, this.#text.length)
    const annotation_index = this.#annotations.push(annotation) - 1
    const fields = { ...this.#position, annotation_index, annotation }
    this.#frames.send('response.output_text.annotation.added', fields)
  }

  sign(signature: Signature): void {
    const token = signatureToken(signature)
    if (this.#message) this.#message.tokens.push(token)
    else this.#positions.addSignature(token)
  }

  end(): void {
    this.isOpen = false
    if (!this.#message) return
    for (const citation of this.#early ?? []) this.cite(citation)
    const { text, logprobs } = this.json()
    this.#frames.send('response.output_text.done', { ...this.#position, text, logprobs })
    this.#frames.send('response.content_part.done', { ...this.#position, part: this.json() })
    this.#positions.partEnded(this.#message)
  }

  json(): JsonObject {
    const annotations = [...this.#annotations]
    return { type: 'output_text', text: this.#text, annotations, logprobs: [...this.#logprobs] }
  }

  #begin(): (text: string) => void {
    const { message, position } = this.#positions.inMessage(this)
    this.#message = message
    this.#position = position
    return this.#frames.deltaWriter('response.output_text.delta', { ...position, logprobs: [] })
  }
}
