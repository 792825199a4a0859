import { isObject, setOwn } from '../lib/json/object.ts'
import { ownAt } from '../lib/json/same.ts'

/** The way from a JSON value to one inside of it. */
export type JsonPath = readonly (string | number)[]

/** The value at a path; `undefined` where the path leads nowhere. */
export function valueAt(value: unknown, path: JsonPath): unknown {
  let at = value
  for (const name of path) {
    if (typeof at !== 'object' || at === null) return undefined
    at = ownAt(at, name)
  }
  return at
}

/** Paths with a text each, as a tree: a node is inside of the node before it. */
export interface PathTree {
  text?: string
  readonly below: Map<string | number, PathTree>
}

/** Joins paths to a tree. */
export function treeOf(
  places: Iterable<{ readonly path: JsonPath; readonly text: string }>,
): PathTree {
  const root: PathTree = { below: new Map() }
  for (const { path, text } of places) {
    let node = root
    for (const name of path) {
      let next = node.below.get(name)
      if (!next) node.below.set(name, (next = { below: new Map() }))
      node = next
    }
    node.text = text
  }
  return root
}

/** A copy of a JSON value with the texts of the tree; branches without such texts are not copied. */
export function withTexts(value: unknown, { text, below }: PathTree): unknown {
  if (text !== undefined) return text
  if (Array.isArray(value)) {
    const copy: unknown[] = [...value]
    for (const [index, node] of below)
      copy[index as number] = withTexts(copy[index as number], node)
    return copy
  }
  if (!isObject(value)) return value
  const copy = { ...value }
  for (const [name, node] of below) {
    setOwn(copy, name as string, withTexts(value[name], node))
  }
  return copy
}
