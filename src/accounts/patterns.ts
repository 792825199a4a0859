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
      ...(models.some(isPattern) && { platformNames: (name) => (matches(name) ? [name] : []) }),
    }
  }
  const entries = Object.entries(models as Readonly<Record<string, string>>)
  const exact = new Map(entries.filter(([name]) => !name.includes('*')))
  const patterns = entries.filter(([name]) => isPattern(name))
  const renames = patterns.map(([name, target]) => compileRename(name, target))
  // A pattern whose target has no star has endless names, so that none of them can be listed.
  const named = patterns.filter(([, target]) => isPattern(target))
  const back = named.map(([name, target]) => compileRename(target, name))
  const upstreamName = (model: string) => exact.get(model) ?? firstRename(renames, model)
  return {
    names: [...exact.keys()],
    patterns: Object.keys(models),
    upstreamName,
    ...(back.length > 0 && {
      platformNames: (name) =>
        back
          .map((rename) => rename(name) ?? '')
          .filter((model) => model !== '' && upstreamName(model) === name),
    }),
  }
}

const isPattern = (name: string) => name.includes('*')

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
  return compileOverlap([one])(other)
}

/** Compiles names and patterns into a test of another one: whether some model name matches it and one of them. */
export function compileOverlap(patterns: readonly string[]): (pattern: string) => boolean {
  const matches = compilePatterns(patterns)
  const names = patterns.filter((pattern) => !pattern.includes('*'))
  const ends = patterns.filter((pattern) => pattern.includes('*')).map(endsOf)
  return (other) => {
    if (!other.includes('*')) return matches(other)
    const otherEnds = endsOf(other)
    return (
      ends.some((one) => canMeet(one, otherEnds)) ||
      names.some(
        (name) => name.startsWith(otherEnds.first) && matchStars(splitAtStars(other), name),
      )
    )
  }
}

/** The text before the first star of a pattern, and that after the last one. */
interface Ends {
  readonly first: string
  readonly last: string
}

function endsOf(pattern: string): Ends {
  return {
    first: pattern.slice(0, pattern.indexOf('*')),
    last: pattern.slice(pattern.lastIndexOf('*') + 1),
  }
}

/**
 * Whether two patterns with stars match a common name. The texts between the stars of both can follow one another
 * in a name, as a star of the other stands for it: only the ends can contradict each other.
 */
function canMeet(one: Ends, other: Ends): boolean {
  return (
    (one.first.startsWith(other.first) || other.first.startsWith(one.first)) &&
    (one.last.endsWith(other.last) || other.last.endsWith(one.last))
  )
}
