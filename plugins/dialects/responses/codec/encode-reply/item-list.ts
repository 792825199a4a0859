import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { Frames } from './frames.ts'
import { type ItemStatus, type OutputItem, SealItem } from './output-item.ts'

interface Entry {
  readonly item: OutputItem
  readonly index: number
  /** What it became. */
  done?: JsonObject
}

/**
 * The output items of a reply that is written, in their order. The last one stays open until it is
 * known whether the reply was cut off in it.
 */
export class ItemList {
  readonly #frames: Frames
  readonly #newId: (prefix: string) => string
  readonly #entries: Entry[] = []
  #last: Entry | undefined

  constructor(frames: Frames, newId: (prefix: string) => string) {
    this.#frames = frames
    this.#newId = newId
  }

  get ids(): string[] {
    return this.#entries.map(({ item }) => item.id)
  }

  /** The item that nothing has followed yet. */
  get last(): OutputItem | undefined {
    return this.#last?.item
  }

  newId(prefix: string): string {
    return this.#newId(prefix)
  }

  /** Begins an item; the one before ends, unless something of it is still being written. */
  add(item: OutputItem): number {
    const before = this.#last
    if (before && !before.item.isOpen) this.#close(before, 'completed')
    this.#last = this.#begin(item)
    return this.#last.index
  }

  /** Something of an item has ended. */
  ended(item: OutputItem): void {
    const entry = this.#entries.find((candidate) => candidate.item === item)
    if (entry && entry !== this.#last && !item.isOpen) this.#close(entry, 'completed')
  }

  /** All of it ends: what is still open is the last item, whose status tells whether it is whole. */
  finish(status: ItemStatus): void {
    for (const entry of this.#entries) this.#close(entry, status)
  }

  /** All items; those that have not ended as far as they have come. */
  json(): JsonObject[] {
    return this.#entries.map(({ item, done }) => done ?? item.json('incomplete'))
  }

  #begin(item: OutputItem): Entry {
    const entry: Entry = { item, index: this.#entries.length }
    this.#entries.push(entry)
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
      this.#close(this.#begin(new SealItem(this.newId('rs_'), token)), 'completed')
    }
  }
}
