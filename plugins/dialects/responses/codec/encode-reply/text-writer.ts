import type { TextFrame } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { Citation, Signature, TokenLogprob } from '../../../../../src/generate/content.ts'
import { writeCitation } from '../citations.ts'
import { type Frames, deltaFrame } from './frames.ts'
import { writeLogprobs } from '../logprobs.ts'
import type { MessageItem, MessagePiece } from './message-item.ts'
import type { PartWriter } from './output-item.ts'
import type { OutputPosition, OutputPositions } from './output-positions.ts'
import { signatureToken } from '../signed-parts.ts'

/** Writes a text into a message. It begins with its first words: an empty one is not shown. */
export class TextWriter implements PartWriter, MessagePiece {
  readonly #frames: Frames
  readonly #places: OutputPositions
  readonly #annotations: JsonObject[] = []
  readonly #logprobs: JsonObject[] = []
  #message: MessageItem | undefined
  #place: OutputPosition | undefined
  #frame: TextFrame | undefined
  #text = ''
  isOpen = true

  constructor(frames: Frames, places: OutputPositions) {
    this.#frames = frames
    this.#places = places
  }

  delta(text: string, logprobs?: readonly TokenLogprob[]): void {
    const frame = (this.#frame ??= this.#begin())
    this.#text += text
    if (!logprobs) return this.#frames.delta(frame, text)
    const told = writeLogprobs(logprobs)
    this.#logprobs.push(...told)
    const fields = { ...this.#place, delta: text, logprobs: told }
    this.#frames.send('response.output_text.delta', fields)
  }

  cite(citation: Citation): void {
    if (!this.#place) return
    const annotation = writeCitation(citation, this.#text.length)
    const annotation_index = this.#annotations.push(annotation) - 1
    const fields = { ...this.#place, annotation_index, annotation }
    this.#frames.send('response.output_text.annotation.added', fields)
  }

  sign(signature: Signature): void {
    const token = signatureToken(signature)
    if (this.#message) this.#message.tokens.push(token)
    else this.#places.seal(token)
  }

  end(): void {
    this.isOpen = false
    if (!this.#message) return
    const { text, logprobs } = this.json()
    this.#frames.send('response.output_text.done', { ...this.#place, text, logprobs })
    this.#frames.send('response.content_part.done', { ...this.#place, part: this.json() })
    this.#places.ended(this.#message)
  }

  json(): JsonObject {
    const annotations = [...this.#annotations]
    return { type: 'output_text', text: this.#text, annotations, logprobs: [...this.#logprobs] }
  }

  #begin(): TextFrame {
    const { message, place } = this.#places.inMessage(this)
    this.#message = message
    this.#place = place
    return deltaFrame('response.output_text.delta', { ...place, logprobs: [] })
  }
}
