import { isObject } from '../lib/json/object.ts'

/** Changes a text. */
export type Change = (text: string) => string

/** Changes the texts of parts beside each other, which models read as one text. Returns as many. */
export type ChangeParts = (texts: readonly string[]) => readonly string[]

/**
 * Splits a list into runs: neighbours of the same kind are one run, an item without a kind is one alone. Yields the
 * positions of the first item of each run, and behind its last one.
 */
export function* runsOf<Item>(
  items: readonly Item[],
  kindOf: (item: Item) => string | undefined,
): Generator<readonly [from: number, to: number]> {
  let from = 0
  let kind: string | undefined
  for (const [at, item] of items.entries()) {
    const next = kindOf(item)
    if (at > 0 && (next === undefined || next !== kind)) {
      yield [from, at]
      from = at
    }
    kind = next
  }
  if (items.length > 0) yield [from, items.length]
}

/** The changed texts of the items in runs of several, by the positions of the items. Items of a kind have a `text`. */
export function textsOfRuns<Item>(
  items: readonly Item[],
  kindOf: (item: Item) => string | undefined,
  changeParts: ChangeParts,
): ReadonlyMap<number, string> {
  const changed = new Map<number, string>()
  for (const [from, to] of runsOf(items, kindOf)) {
    if (to - from < 2) continue
    const texts = items.slice(from, to).map((item) => (item as { text: string }).text)
    for (const [index, text] of changeParts(texts).entries()) changed.set(from + index, text)
  }
  return changed
}

/** The kind of a part of text in JSON. `undefined`: the value is no part of text. */
export function kindOfText(value: unknown): string | undefined {
  if (!isObject(value) || typeof value.text !== 'string') return undefined
  return `${String(value.type)} ${String(value.thought)}`
}
