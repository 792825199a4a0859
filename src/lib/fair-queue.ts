/**
 * A queue whose owners take turns, so that the items of one do not all go before those of another. The items of an
 * owner keep their order.
 */
export class FairQueue<Item> {
  /** By owner, in the order of their turns. An owner without items is forgotten. */
  readonly #owners = new Map<string, Set<Item>>()

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

  /** Removes the next item, of the first owner that `mayTake`. */
  take(mayTake: (owner: string) => boolean = () => true): Item | undefined {
    for (const [owner, items] of this.#owners) {
      if (!mayTake(owner)) continue
      const item = items.values().next().value as Item
      this.#owners.delete(owner)
      items.delete(item)
      if (items.size > 0) this.#owners.set(owner, items)
      return item
    }
    return undefined
  }
}
