import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { Channel, ItemReader } from './item-readers.ts'
import { argumentsOf, callOf } from './output-parts.ts'
import { PartReader, type PartEmitter } from './part-reader.ts'
import type { ReplyNames } from './reply-names.ts'

/** Reads a tool call. The part begins once its name is known, which some servers send late. */
export class CallReader implements ItemReader {
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
