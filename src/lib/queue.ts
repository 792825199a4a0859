/** The removed items that a list keeps before it copies the others. */
const mostRemoved = 1_000

/** A list of which items are taken from the front: `shift` of a long array copies all others each time. */
export class Queue<Item extends {}> {
  #items: Item[] = []
  #head = 0

  get first(): Item | undefined {
    return this.#items[this.#head]
  }

  push(item: Item): void {
    this.#items.push(item)
  }

  /** Replaces the first item, if there is one. */
  replaceFirst(item: Item): void {
    if (this.first !== undefined) this.#items[this.#head] = item
  }

  removeFirst(): void {
    if (this.first === undefined) return
    this.#head++
    if (this.#head <= mostRemoved || this.#head * 2 < this.#items.length) return
    this.#items = this.#items.slice(this.#head)
    this.#head = 0
  }
}
