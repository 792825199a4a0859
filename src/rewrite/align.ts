import { isObject } from '../lib/json/object.ts'
import { isSameJson } from '../lib/json/same.ts'
import type { JsonPath } from './path.ts'

/** A string that changed, by its place in the neutral request. */
export interface TextChange {
  readonly path: JsonPath
  readonly from: string
  readonly to: string
}

/** The members that hold texts of people and models. Other strings describe a part. */
const texts: ReadonlySet<string> = new Set([
  'text',
  'arguments',
  'description',
  'title',
  'context',
  'base64',
  'url',
])

/**
 * The changes of texts between two versions of a value. Elements that a list gained or lost are left
 * out: others of the list are matched from its end, then from its start.
 */
export function textChanges(before: unknown, after: unknown): TextChange[] {
  const changes: TextChange[] = []
  collect(before, after, [], changes)
  return changes
}

function collect(before: unknown, after: unknown, path: JsonPath, changes: TextChange[]): void {
  if (typeof before === 'string' && typeof after === 'string') {
    changes.push({ path, from: before, to: after })
  } else if (Array.isArray(before) && Array.isArray(after)) {
    for (const [from, to] of matched(before, after)) {
      if (before[from] === after[to]) continue
      collect(before[from], after[to], [...path, from], changes)
    }
  } else if (isObject(before) && isObject(after)) {
    for (const name of Object.keys(before)) {
      if (before[name] === after[name]) continue
      collect(before[name], after[name], [...path, name], changes)
    }
  }
}

/** The indexes of elements that stand for each other. */
function matched(before: readonly unknown[], after: readonly unknown[]): [number, number][] {
  if (before.length === after.length) return before.map((_, index) => [index, index])
  const pairs: [number, number][] = []
  const shorter = Math.min(before.length, after.length)
  let behind = 0
  while (behind < shorter && isAlike(before.at(-1 - behind), after.at(-1 - behind))) {
    behind++
    pairs.push([before.length - behind, after.length - behind])
  }
  for (let index = 0; index < shorter - behind; index++) {
    if (!isAlike(before[index], after[index])) break
    pairs.push([index, index])
  }
  return pairs
}

/** Whether two values differ at most in texts. */
function isAlike(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isAlike(item, other[index]))
  }
  if (!isObject(one) || !isObject(other)) return isSameJson(one, other)
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].every((name) => {
    const [mine, its] = [one[name], other[name]]
    const areTexts = texts.has(name) && typeof mine === 'string' && typeof its === 'string'
    return areTexts || isAlike(mine, its)
  })
}
