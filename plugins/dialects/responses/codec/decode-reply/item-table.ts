import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { numberAt, objectsIn, stringAt } from '../../../../../src/lib/json/read.ts'
import {
  type Channel,
  ImageReader,
  type ItemReader,
  MessageReader,
  ReasoningReader,
  noopReader,
} from './item-readers.ts'
import { ItemPlaces } from './item-places.ts'
import { type PartEmitter, PartReader } from './part-reader.ts'
import type { ReplyNames } from './reply-names.ts'
import { TextMap } from '../../../../../src/lib/text-map.ts'
import { argumentsOf, callOf } from './output-parts.ts'

interface Entry {
  readonly id: string | undefined
  readonly type: unknown
  readonly reader: ItemReader
  isDone: boolean
}

/**
 * The output items of a stream, identified by `output_index`: some servers change an item's id from
 * event to event.
 */
export class ItemTable {
  readonly #parts: PartEmitter
  readonly #names: ReplyNames
  /** Keyed by `output_index`. */
  readonly #entries = new Map<number, Entry>()
  /** In the order of their arrival, including replaced ones. */
  readonly #all: Entry[] = []
  /** The first item with each id, also if it is replaced. */
  readonly #firstById = new TextMap<Entry>()
  readonly #places = new ItemPlaces()
  #latest = -1

  constructor(parts: PartEmitter, names: ReplyNames) {
    this.#parts = parts
    this.#names = names
  }

  /** Adds an item. A repeated announcement is ignored; another item at the same index replaces it. */
  add(item: JsonObject, index = this.#latest + 1): void {
    const before = this.#entries.get(index)
    if (before && isSame(before, item)) return
    this.#close(before)
    this.#open(item, index)
  }

  /** Ends an item with its complete form, and adds it first if no event announced it. */
  done(item: JsonObject, index = this.#indexOf(stringAt(item, 'id'))): void {
    let entry = this.#entries.get(index)
    if (!entry || entry.type !== item.type || (entry.isDone && !isSame(entry, item))) {
      this.#close(entry)
      entry = this.#open(item, index)
    }
    this.#close(entry, item)
  }

  /** Returns the part that an event extends, and adds its item if no event announced it. */
  partOf(event: JsonObject, channel: Channel, at: number): PartReader | undefined {
    const index = numberAt(event, 'output_index') ?? this.#indexOf(stringAt(event, 'item_id'))
    const entry = this.#entries.get(index) ?? this.#openFor(channel, index)
    return entry?.reader.part(channel, at)
  }

  /** Ends the response and reads the listed items that no event announced. */
  finish({ output }: JsonObject): void {
    const items = objectsIn(output)
    for (const [index, item] of items.entries()) {
      const entry = this.#entryOf(item, index)
      if (entry) this.#close(entry, item)
      else if (this.#all.length < items.length) this.#close(this.#open(item, index), item)
    }
    this.#all.forEach((entry) => this.#close(entry))
  }

  #entryOf(item: JsonObject, index: number): Entry | undefined {
    const id = stringAt(item, 'id')
    const byId = id === undefined ? undefined : this.#firstById.get(id)
    const byIndex = this.#entries.get(index)
    return byId ?? (byIndex?.type === item.type ? byIndex : undefined)
  }

  #open(item: JsonObject, index: number): Entry {
    const id = stringAt(item, 'id')
    const entry = { id, type: item.type, reader: this.#readerOf(item, index), isDone: false }
    this.#places.set(index, id, this.#entries.get(index)?.id)
    this.#entries.set(index, entry)
    this.#all.push(entry)
    if (id !== undefined && !this.#firstById.has(id)) this.#firstById.set(id, entry)
    this.#latest = index
    return entry
  }

  #openFor(channel: Channel, index: number): Entry | undefined {
    if (channel === 'input') return undefined
    const isReasoning = channel === 'summary' || channel === 'raw'
    return this.#open({ type: isReasoning ? 'reasoning' : 'message' }, index)
  }

  #close(entry: Entry | undefined, item?: JsonObject): void {
    if (!entry || (entry.isDone && !item)) return
    entry.isDone = true
    entry.reader.finish(item)
  }

  /** Returns the output index of an item by its id, or of the latest item if the id is unknown. */
  #indexOf(id: string | undefined): number {
    const known = id === undefined ? undefined : this.#places.first(id)
    return known ?? Math.max(this.#latest, 0)
  }

  #readerOf(item: JsonObject, index: number): ItemReader {
    switch (item.type) {
      case 'message':
        return new MessageReader(this.#parts)
      case 'reasoning':
        return new ReasoningReader(this.#parts, item)
      case 'function_call':
      case 'custom_tool_call':
        return new CallReader(this.#parts, item, this.#names, index)
      case 'image_generation_call':
        return new ImageReader(this.#parts)
      default:
        return noopReader
    }
  }
}

/** Compares type and id; a missing id matches any. */
function isSame(entry: Entry, item: JsonObject): boolean {
  const id = stringAt(item, 'id')
  return entry.type === item.type && (entry.id === id || !entry.id || !id)
}

/** Reads a tool call. The part begins once its name is known, which some servers send late. */
class CallReader implements ItemReader {
  readonly #parts: PartEmitter
  readonly #names: ReplyNames
  readonly #place: number
  #part: PartReader | undefined

  constructor(parts: PartEmitter, added: JsonObject, names: ReplyNames, place: number) {
    this.#parts = parts
    this.#names = names
    this.#place = place
    if (added.name) this.#begin(added)
  }

  part(channel: Channel): PartReader | undefined {
    // Deltas before the name are dropped: the complete item repeats their text.
    return channel === 'input' ? this.#part : undefined
  }

  finish(item: JsonObject = {}): void {
    const part = this.#part ?? this.#begin(item)
    part.fill(argumentsOf(item))
    part.end()
  }

  #begin(item: JsonObject): PartReader {
    const part = new PartReader(this.#parts, callOf(item, this.#place, this.#names))
    this.#part = part
    part.begin()
    return part
  }
}
