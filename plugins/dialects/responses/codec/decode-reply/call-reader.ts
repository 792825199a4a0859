import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { Channel, ItemReader } from './item-readers.ts'
import { argumentsOf, callOf } from './output-parts.ts'
import { PartReader, type Parts } from './parts-out.ts'
import type { ReplyNames } from './reply-names.ts'

/** A call of a tool. It begins once its name is known, which some servers tell late. */
export class CallReader implements ItemReader {
  readonly #parts: Parts
  readonly #names: ReplyNames
  readonly #place: number
  #part: PartReader | undefined

  constructor(parts: Parts, begun: JsonObject, names: ReplyNames, place: number) {
    this.#parts = parts
    this.#names = names
    this.#place = place
    if (begun.name) this.#begin(begun)
  }

  part(channel: Channel): PartReader | undefined {
    // What comes before the name is in the whole item as well.
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
