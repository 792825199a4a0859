import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { Frames } from './frames.ts'
import type { ItemStatus, OutputItem } from './output-item.ts'

/** A content part of a message under construction. */
export interface MessagePart {
  readonly isOpen: boolean
  json(): JsonObject
}

/** An assistant message: consecutive texts and refusals. */
export class MessageItem implements OutputItem {
  readonly id: string
  readonly tokens: string[] = []
  readonly #parts: MessagePart[] = []
  /** The number of parts at the beginning that have ended. An ended part never opens again. */
  #ended = 0

  constructor(id: string) {
    this.id = id
  }

  get isOpen(): boolean {
    while (this.#parts[this.#ended]?.isOpen === false) this.#ended++
    return this.#ended < this.#parts.length
  }

  /** Whether another part may follow; none may follow a signature. */
  get acceptsParts(): boolean {
    return this.tokens.length === 0
  }

  /** The joined texts, for `output_text`. */
  get text(): string {
    return this.#parts
      .map((part) => part.json())
      .map(({ type, text }) => (type === 'output_text' && typeof text === 'string' ? text : ''))
      .join('')
  }

  /** Begins a part and returns its `content_index`. */
  add(part: MessagePart, outputIndex: number, frames: Frames): number {
    const content_index = this.#parts.push(part) - 1
    const position = { item_id: this.id, output_index: outputIndex, content_index }
    frames.send('response.content_part.added', { ...position, part: part.json() })
    return content_index
  }

  json(status: ItemStatus): JsonObject {
    const content = this.#parts.map((part) => part.json())
    return { id: this.id, type: 'message', status, role: 'assistant', content }
  }
}
