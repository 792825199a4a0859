import { type JsonObject, setOwn } from '../../lib/json/object.ts'

/** Stands for a secret in a text. */
export const mask = '[secret]'

/** In characters. A shorter secret is a part of ordinary words. */
export const shortestSecret = 4

/** The text with `instead` in place of each of these texts, also as JSON writes them. */
export function withoutTexts(text: string, hidden: Iterable<string>, instead: string): string {
  // A shorter one may be a part of a longer one.
  const longestFirst = [...hidden].toSorted((one, other) => other.length - one.length)
  return longestFirst
    .flatMap((one) => [one, ...jsonSpellings(one)])
    .reduce((left, one) => left.replaceAll(one, instead), text)
}

/** How JSON writes a text: a slash may follow a backslash. */
export function jsonSpellings(text: string): readonly string[] {
  const inJson = JSON.stringify(text).slice(1, -1)
  return [inJson, inJson.replaceAll('/', String.raw`\/`)]
}

/** Levels of a JSON value. No provider nests its errors deeper, and deeper ones could exhaust the stack. */
const deepest = 500

/** Changes keys and strings of a JSON value. Returns the value itself if nothing changes. */
export function mapStrings(value: unknown, change: (text: string) => string, depth = 0): unknown {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > deepest) return '[...]'
  if (Array.isArray(value)) return mapList(value, change, depth + 1)
  return mapMembers(value as JsonObject, change, depth + 1)
}

function mapList(
  list: readonly unknown[],
  change: (text: string) => string,
  depth: number,
): readonly unknown[] {
  const items = list.map((item) => mapStrings(item, change, depth))
  return items.some((item, index) => item !== list[index]) ? items : list
}

/** Copies an object only from its first change on: nearly none has one, and one may have 100,000 members. */
function mapMembers(
  object: JsonObject,
  change: (text: string) => string,
  depth: number,
): JsonObject {
  const names = Object.keys(object)
  let clean: Record<string, unknown> | undefined
  for (const [index, name] of names.entries()) {
    const item = object[name]
    const cleanName = change(name)
    const cleanItem = mapStrings(item, change, depth)
    if (cleanName !== name || cleanItem !== item) clean ??= firstMembers(object, names, index)
    if (clean) setOwn(clean, cleanName, cleanItem)
  }
  return clean ?? object
}

function firstMembers(
  object: JsonObject,
  names: readonly string[],
  count: number,
): Record<string, unknown> {
  const first: Record<string, unknown> = {}
  for (const name of names.slice(0, count)) setOwn(first, name, object[name])
  return first
}
