import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { Frames } from './frames.ts'
import { type ItemStatus, type OutputItem, SignatureItem } from './output-item.ts'

interface Entry {
  readonly item: OutputItem
  readonly index: number
  /** The finished item. */
  done?: JsonObject
}

/**
 * The output items of an encoded reply, in order. The last one stays open until the stop reason shows
 * whether it is complete.
 */
export class ItemList {
  readonly #frames: Frames
  readonly #newId: (prefix: string) => string
  readonly #entries: Entry[] = []
  readonly #byItem = new Map<OutputItem, Entry>()
  #last: Entry | undefined

  constructor(frames: Frames, newId: (prefix: string) => string) {
    this.#frames = frames
    this.#newId = newId
  }

  get ids(): string[] {
    return this.#entries.map(({ item }) => item.id)
  }

  /** The most recently added item. */
  get last(): OutputItem | undefined {
    return this.#last?.item
  }

  newId(prefix: string): string {
    return this.#newId(prefix)
  }

  /** Adds an item and returns its index. It ends the previous item unless that one is still open. */
  add(item: OutputItem): number {
    const before = this.#last
    if (before && !before.item.isOpen) this.#close(before, 'completed')
    this.#last = this.#begin(item)
    return this.#last.index
  }

  /** Ends an item whose last part has ended, unless it is the last item. */
  partEnded(item: OutputItem): void {
    const entry = this.#byItem.get(item)
    if (entry && entry !== this.#last && !item.isOpen) this.#close(entry, 'completed')
  }

  /** Ends all items; `status` applies to those that are still open. */
  finish(status: ItemStatus): void {
    for (const entry of this.#entries) this.#close(entry, status)
  }

  /** Returns all items; unfinished ones have the status `incomplete`. */
  json(): JsonObject[] {
    return this.#entries.map(({ item, done }) => done ?? item.json('incomplete'))
  }

  #begin(item: OutputItem): Entry {
    const entry: Entry = { item, index: this.#entries.length }
    this.#entries.push(entry)
    this.#byItem.set(item, entry)
    const fields = { output_index: entry.index, item: item.json('in_progress') }
    this.#frames.send('response.output_item.added', fields)
    return entry
  }

  #close(entry: Entry, status: ItemStatus): void {
    if (entry.done) return
    entry.done = entry.item.json(status)
    const fields = { output_index: entry.index, item: entry.done }
    this.#frames.send('response.output_item.done', fields)
    for (const token of entry.item.tokens) {
      this.#close(this.#begin(new SignatureItem(this.newId('rs_'), token)), 'completed')
    }
  }
}
