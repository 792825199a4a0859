/**
 * A queue whose owners take turns, so that one owner's items do not all go before another owner's. The items of an
 * owner keep their order.
 */
export class FairQueue<Item> {
  /** By owner, in the order of their turns. An owner without items is forgotten. */
  readonly #owners = new Map<string, Set<Item>>()
  /** The owner that was served last. */
  #last: string | undefined

  get isEmpty(): boolean {
    return this.#owners.size === 0
  }

  add(owner: string, item: Item): void {
    const items = this.#owners.get(owner)
    if (items) items.add(item)
    else this.#owners.set(owner, new Set([item]))
  }

  delete(owner: string, item: Item): void {
    const items = this.#owners.get(owner)
    items?.delete(item)
    if (items?.size === 0) this.#owners.delete(owner)
  }

  /** An owner is served without the queue. */
  noteServed(owner: string): void {
    this.#last = owner
  }

  /** Removes the next item of the owners that `mayTake`. */
  take(mayTake: (owner: string) => boolean = () => true): Item | undefined {
    const owner = this.#next(mayTake)
    const items = owner === undefined ? undefined : this.#owners.get(owner)
    if (owner === undefined || !items) return undefined
    const item = items.values().next().value as Item
    this.#last = owner
    this.#owners.delete(owner)
    items.delete(item)
    if (items.size > 0) this.#owners.set(owner, items)
    return item
  }

  /** The owner that was served last goes behind those that have come since. */
  #next(mayTake: (owner: string) => boolean): string | undefined {
    for (const owner of this.#owners.keys()) {
      if (owner !== this.#last && mayTake(owner)) return owner
    }
    const last = this.#last
    return last !== undefined && this.#owners.has(last) && mayTake(last) ? last : undefined
  }
}
