import type { ModelMap } from '../contract/account.ts'

/** Returns a matcher of names against exact names and patterns, where `*` stands for any characters. */
export function compilePatterns(patterns: readonly string[]): (name: string) => boolean {
  const exact = new Set(patterns.filter((pattern) => !pattern.includes('*')))
  const wildcards = patterns.filter((pattern) => pattern.includes('*')).map(splitAtStars)
  return (name) => exact.has(name) || wildcards.some((parts) => matchStars(parts, name))
}

/** Compiles a list of models and patterns, or a map from platform models and patterns to upstream models. */
export function compileModels(
  models: readonly string[] | Readonly<Record<string, string>>,
): ModelMap {
  if (Array.isArray(models)) {
    const matches = compilePatterns(models)
    return {
      names: models.filter((name) => !name.includes('*')),
      patterns: models,
      upstreamName: (model) => (matches(model) ? model : undefined),
    }
  }
  const entries = Object.entries(models as Readonly<Record<string, string>>)
  const exact = new Map(entries.filter(([name]) => !name.includes('*')))
  const renames = entries
    .filter(([name]) => name.includes('*'))
    .map(([name, target]) => compileRename(name, target))
  return {
    names: [...exact.keys()],
    patterns: Object.keys(models),
    upstreamName: (model) => exact.get(model) ?? firstRename(renames, model),
  }
}

type Rename = (model: string) => string | undefined

/** Stars of the target repeat the text of the pattern's stars: `"acme/*": "*"` removes a prefix. */
function compileRename(pattern: string, target: string): Rename {
  const parts = splitAtStars(pattern)
  const [first = '', ...rest] = splitAtStars(target)
  return (model) => {
    const stars = matchStars(parts, model)
    return stars && rest.reduce((name, part, index) => name + (stars[index] ?? '') + part, first)
  }
}

function firstRename(renames: readonly Rename[], model: string): string | undefined {
  for (const rename of renames) {
    const name = rename(model)
    if (name !== undefined) return name
  }
  return undefined
}

function splitAtStars(pattern: string): string[] {
  return pattern.split('*')
}

/**
 * The text that each star stands for, or `undefined` if the name does not match. Never backtracks,
 * because clients choose the names: a regular expression could take minutes for some of them.
 */
function matchStars(parts: readonly string[], name: string): string[] | undefined {
  const first = parts[0] ?? ''
  const last = parts.at(-1) ?? ''
  const end = name.length - last.length
  if (!name.startsWith(first) || !name.endsWith(last) || end < first.length) return undefined
  const stars: string[] = []
  let position = first.length
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, position)
    if (found < 0 || found + part.length > end) return undefined
    stars.push(name.slice(position, found))
    position = found + part.length
  }
  return [...stars, name.slice(position, end)]
}

/** Whether a name can match both of two names or patterns. */
export function overlap(one: string, other: string): boolean {
  /** For each place in `other`: whether the rest of `other` overlaps the part of `one` after `index`. */
  let row = placesAfter(other)
  for (let index = one.length - 1; index >= 0; index--) row = rowBefore(one[index], other, row)
  return row[0] ?? false
}

/** The row for the end of `one`: the rest of `other` must match the empty name. */
function placesAfter(other: string): boolean[] {
  const stars = /\**$/.exec(other)?.[0].length ?? 0
  return Array.from({ length: other.length + 1 }, (_, place) => place >= other.length - stars)
}

function rowBefore(character: string | undefined, other: string, after: boolean[]): boolean[] {
  const row = Array.from({ length: other.length + 1 }, () => false)
  row[other.length] = character === '*' && (after[other.length] ?? false)
  for (let place = other.length - 1; place >= 0; place--) {
    const isStar = character === '*' || other[place] === '*'
    row[place] = isStar
      ? (after[place] ?? false) || (row[place + 1] ?? false)
      : character === other[place] && (after[place + 1] ?? false)
  }
  return row
}
