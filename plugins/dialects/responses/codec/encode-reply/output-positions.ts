import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { Frames } from './frames.ts'
import type { ItemList } from './item-list.ts'
import { MessageItem, type MessagePart } from './message-item.ts'
import { type OutputItem, SignatureItem } from './output-item.ts'

/** The members of an event that identify its part. */
export type OutputPosition = JsonObject & {
  readonly item_id: string
  readonly output_index: number
}

/** Assigns parts their position among the output items. */
export class OutputPositions {
  readonly #frames: Frames
  readonly #items: ItemList
  /** The `output_index` of the last message. */
  #messageIndex = -1
  readonly messages: MessageItem[] = []

  constructor(frames: Frames, items: ItemList) {
    this.#frames = frames
    this.#items = items
  }

  newId(prefix: string): string {
    return this.#items.newId(prefix)
  }

  /** Adds a part to the last item if that is a message, else to a new message. */
  inMessage(part: MessagePart): { message: MessageItem; position: OutputPosition } {
    const message = this.#lastMessage() ?? this.#newMessage()
    const output_index = this.#messageIndex
    const content_index = message.add(part, output_index, this.#frames)
    return { message, position: { item_id: message.id, output_index, content_index } }
  }

  /** Adds an item with a single part and returns its position. */
  ofItem(item: OutputItem): OutputPosition {
    return { item_id: item.id, output_index: this.#items.add(item) }
  }

  /** Adds a signature whose part has no output. */
  addSignature(token: string): void {
    this.#items.add(new SignatureItem(this.newId('rs_'), token))
  }

  partEnded(item: OutputItem): void {
    this.#items.partEnded(item)
  }

  #lastMessage(): MessageItem | undefined {
    const { last } = this.#items
    return last instanceof MessageItem && last.acceptsParts ? last : undefined
  }

  #newMessage(): MessageItem {
    const message = new MessageItem(this.newId('msg_'))
    this.#messageIndex = this.#items.add(message)
    this.messages.push(message)
    return message
  }
}
