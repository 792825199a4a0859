/**
 * Items in the order of their arrival. Taking one moves no other, as `shift` of an array does: tens of thousands may
 * wait.
 */
export class Queue<Item extends {}> {
  #items: (Item | undefined)[] = []
  #taken = 0

  get isEmpty(): boolean {
    return this.#taken === this.#items.length
  }

  /** The item that `take` takes next. */
  get first(): Item | undefined {
    return this.#items[this.#taken]
  }

  push(item: Item): void {
    this.#items.push(item)
  }

  /** Replaces the first item. The queue must have one. */
  replaceFirst(item: Item): void {
    this.#items[this.#taken] = item
  }

  /** Takes the first item. The queue must have one. */
  take(): Item {
    const item = this.#items[this.#taken]!
    this.#items[this.#taken++] = undefined
    // A queue that is never empty must not keep a place for each item that it has ever had.
    if (this.#taken > this.#items.length / 2) this.#compact()
    return item
  }

  clear(): void {
    this.#items = []
    this.#taken = 0
  }

  #compact(): void {
    this.#items = this.#items.slice(this.#taken)
    this.#taken = 0
  }
}
