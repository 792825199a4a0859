import { TextMap } from '../../../../../src/lib/text-map.ts'

/**
 * The output indexes of items by the items' ids. Several items may have one id: the one counts whose index
 * came first. It takes no search through all items, of which an account may announce thousands.
 */
export class ItemPlaces {
  /** The rank of each index, which is the order in which the indexes came. */
  readonly #ranks = new Map<number, number>()
  readonly #indexes: number[] = []
  /** The ranks of the indexes whose items have an id, ascending. */
  readonly #byId = new TextMap<number[]>()

  /** Returns the first index whose item has this id. */
  first(id: string): number | undefined {
    const rank = this.#byId.get(id)?.[0]
    return rank === undefined ? undefined : this.#indexes[rank]
  }

  /** Sets the id of the item at an index; `before` is the id of the item that it replaces. */
  set(index: number, id: string | undefined, before: string | undefined): void {
    const rank = this.#ranks.get(index) ?? this.#indexes.push(index) - 1
    this.#ranks.set(index, rank)
    if (id === before) return
    if (before !== undefined) this.#remove(before, rank)
    if (id !== undefined) this.#add(id, rank)
  }

  #add(id: string, rank: number): void {
    const ranks = this.#byId.get(id)
    if (ranks) ranks.splice(placeOf(rank, ranks), 0, rank)
    else this.#byId.set(id, [rank])
  }

  #remove(id: string, rank: number): void {
    const ranks = this.#byId.get(id)
    ranks?.splice(placeOf(rank, ranks), 1)
  }
}

/** Returns the place of a rank in an ascending list. */
function placeOf(rank: number, ranks: readonly number[]): number {
  let low = 0
  let high = ranks.length
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (ranks[middle]! < rank) low = middle + 1
    else high = middle
  }
  return low
}
