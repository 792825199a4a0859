import { lowerBound } from '../lib/lower-bound.ts'
import type { ListOrder } from './adapter.ts'

/** The ids of a map in the order of their UTF-8 bytes. */
export interface SortedIds {
  /** Notes an id that the map has from now on. */
  add(id: string): void
  /** Notes an id that the map has no longer. */
  delete(id: string): void
  /** The ids behind another one or, descending, before it. Absent: all. The map must not change meanwhile. */
  from(after: string | undefined, order: ListOrder): Iterable<string>
}

/**
 * Sorts the ids of a map when they are read for the first time, and from then on adds each to its place: most
 * maps are never read in order, and others have ten thousand ids of which one is new.
 */
export function createIds(map: ReadonlyMap<string, unknown>): SortedIds {
  let sorted: string[] | undefined
  const placeOf = (ids: readonly string[], id: string) =>
    lowerBound(ids.length, (index) => byBytes(ids[index]!, id) >= 0)

  return {
    add: (id) => void sorted?.splice(placeOf(sorted, id), 0, id),
    delete(id) {
      const place = sorted ? placeOf(sorted, id) : 0
      if (sorted?.[place] === id) sorted.splice(place, 1)
    },
    *from(after, order) {
      const ids = (sorted ??= sort([...map.keys()]))
      const place = after === undefined ? undefined : placeOf(ids, after)
      if (order === 'descending') {
        for (let index = (place ?? ids.length) - 1; index >= 0; index--) yield ids[index]!
        return
      }
      const first = place === undefined ? 0 : place + (ids[place] === after ? 1 : 0)
      for (let index = first; index < ids.length; index++) yield ids[index]!
    },
  }
}

/** The engine's own order is faster, and the same without such characters. */
function sort(ids: readonly string[]): string[] {
  return ids.some((id) => /[\ud800-\uffff]/.test(id)) ? ids.toSorted(byBytes) : ids.toSorted()
}

// Beyond U+FFFF, the UTF-16 order of `<` differs from the order of SQLite and Redis.
function byBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const [one, other] = [a.charCodeAt(index), b.charCodeAt(index)]
    if (one !== other) return rankOf(one) - rankOf(other)
  }
  return a.length - b.length
}

/** The rank of a code unit: halves of surrogate pairs stand for characters beyond all others. */
function rankOf(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit
}
