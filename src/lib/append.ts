/** Adds items to a list. `push(...items)` throws a `RangeError` for a hundred thousand of them. */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item)
}
