import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { Frames } from './frames.ts'
import type { MessageItem, MessagePart } from './message-item.ts'
import type { PartWriter } from './output-item.ts'
import type { OutputPosition, OutputPositions } from './output-positions.ts'

/** Writes a refusal as a content part of a message. */
export class RefusalWriter implements PartWriter, MessagePart {
  readonly #frames: Frames
  readonly #positions: OutputPositions
  #message: MessageItem | undefined
  #position: OutputPosition | undefined
  #writeDelta: ((text: string) => void) | undefined
  #refusal = ''
  isOpen = true

  constructor(frames: Frames, positions: OutputPositions) {
    this.#frames = frames
    this.#positions = positions
  }

  delta(text: string): void {
    const writeDelta = (this.#writeDelta ??= this.#begin())
    this.#refusal += text
    writeDelta(text)
  }

  cite(): void {}

  sign(): void {}

  end(): void {
    this.isOpen = false
    if (!this.#message) return
    const refusal = this.#refusal
    this.#frames.send('response.refusal.done', { ...this.#position, refusal })
    this.#frames.send('response.content_part.done', { ...this.#position, part: this.json() })
    this.#positions.partEnded(this.#message)
  }

  json(): JsonObject {
    return { type: 'refusal', refusal: this.#refusal }
  }

  #begin(): (text: string) => void {
    const { message, position } = this.#positions.inMessage(this)
    this.#message = message
    this.#position = position
    return this.#frames.deltaWriter('response.refusal.delta', position)
  }
}
