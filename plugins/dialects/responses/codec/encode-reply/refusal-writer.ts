import type { TextFrame } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { type Frames, deltaFrame } from './frames.ts'
import type { MessageItem, MessagePiece } from './message-item.ts'
import type { PartWriter } from './output-item.ts'
import type { OutputPosition, OutputPositions } from './output-positions.ts'

/** Writes a refusal into a message. */
export class RefusalWriter implements PartWriter, MessagePiece {
  readonly #frames: Frames
  readonly #places: OutputPositions
  #message: MessageItem | undefined
  #place: OutputPosition | undefined
  #frame: TextFrame | undefined
  #refusal = ''
  isOpen = true

  constructor(frames: Frames, places: OutputPositions) {
    this.#frames = frames
    this.#places = places
  }

  delta(text: string): void {
    const frame = (this.#frame ??= this.#begin())
    this.#refusal += text
    this.#frames.delta(frame, text)
  }

  cite(): void {}

  sign(): void {}

  end(): void {
    this.isOpen = false
    if (!this.#message) return
    const refusal = this.#refusal
    this.#frames.send('response.refusal.done', { ...this.#place, refusal })
    this.#frames.send('response.content_part.done', { ...this.#place, part: this.json() })
    this.#places.ended(this.#message)
  }

  json(): JsonObject {
    return { type: 'refusal', refusal: this.#refusal }
  }

  #begin(): TextFrame {
    const { message, place } = this.#places.inMessage(this)
    this.#message = message
    this.#place = place
    return deltaFrame('response.refusal.delta', place)
  }
}
