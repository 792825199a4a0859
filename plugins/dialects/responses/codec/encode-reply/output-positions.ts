import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { Frames } from './frames.ts'
import type { ItemList } from './item-list.ts'
import { MessageItem, type MessagePiece } from './message-item.ts'
import { type OutputItem, SealItem } from './output-item.ts'

/** Where events say that a part is. */
export type OutputPosition = JsonObject & {
  readonly item_id: string
  readonly output_index: number
}

/** Finds parts their place among the items. */
export class OutputPositions {
  readonly #frames: Frames
  readonly #items: ItemList
  /** The `output_index` of the message that is last. */
  #messageIndex = -1
  readonly messages: MessageItem[] = []

  constructor(frames: Frames, items: ItemList) {
    this.#frames = frames
    this.#items = items
  }

  newId(prefix: string): string {
    return this.#items.newId(prefix)
  }

  /** A place in the message that is last, or in a new one. */
  inMessage(piece: MessagePiece): { message: MessageItem; place: OutputPosition } {
    const message = this.#lastMessage() ?? this.#newMessage()
    const output_index = this.#messageIndex
    const content_index = message.add(piece, output_index, this.#frames)
    return { message, place: { item_id: message.id, output_index, content_index } }
  }

  /** The place of an item that has one part. */
  ofItem(item: OutputItem): OutputPosition {
    return { item_id: item.id, output_index: this.#items.add(item) }
  }

  /** A signature that belongs to nothing that is shown. */
  seal(token: string): void {
    this.#items.add(new SealItem(this.newId('rs_'), token))
  }

  ended(item: OutputItem): void {
    this.#items.ended(item)
  }

  #lastMessage(): MessageItem | undefined {
    const { last } = this.#items
    return last instanceof MessageItem && last.takesMore ? last : undefined
  }

  #newMessage(): MessageItem {
    const message = new MessageItem(this.newId('msg_'))
    this.#messageIndex = this.#items.add(message)
    this.messages.push(message)
    return message
  }
}
