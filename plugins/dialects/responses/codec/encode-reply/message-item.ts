import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { Frames } from './frames.ts'
import type { ItemStatus, OutputItem } from './output-item.ts'

/** A piece of a message, as it is now. */
export interface MessagePiece {
  readonly isOpen: boolean
  json(): JsonObject
}

/** What the assistant says: texts and refusals that nothing comes between. */
export class MessageItem implements OutputItem {
  readonly id: string
  readonly tokens: string[] = []
  readonly #pieces: MessagePiece[] = []

  constructor(id: string) {
    this.id = id
  }

  get isOpen(): boolean {
    return this.#pieces.some((piece) => piece.isOpen)
  }

  /** Whether another piece may come; behind a signature none may. */
  get takesMore(): boolean {
    return this.tokens.length === 0
  }

  /** Its texts, as `output_text` repeats them. */
  get text(): string {
    return this.#pieces
      .map((piece) => piece.json())
      .map(({ type, text }) => (type === 'output_text' && typeof text === 'string' ? text : ''))
      .join('')
  }

  /** Begins a piece and gives its `content_index`. */
  add(piece: MessagePiece, outputIndex: number, frames: Frames): number {
    const content_index = this.#pieces.push(piece) - 1
    const place = { item_id: this.id, output_index: outputIndex, content_index }
    frames.send('response.content_part.added', { ...place, part: piece.json() })
    return content_index
  }

  json(status: ItemStatus): JsonObject {
    const content = this.#pieces.map((piece) => piece.json())
    return { id: this.id, type: 'message', status, role: 'assistant', content }
  }
}
