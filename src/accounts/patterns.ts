import type { ModelMap } from './account.ts'

/** Matches names against exact names and patterns with `*` for any run of characters. */
export function compilePatterns(patterns: readonly string[]): (name: string) => boolean {
  const exact = new Set(patterns.filter((pattern) => !pattern.includes('*')))
  const wildcards = patterns.filter((pattern) => pattern.includes('*')).map(toRegExp)
  return (name) => exact.has(name) || wildcards.some((wildcard) => wildcard.test(name))
}

/** A list of names and patterns, or a map from platform names (patterns too) to the account's own. */
export function compileModels(
  models: readonly string[] | Readonly<Record<string, string>>,
): ModelMap {
  if (Array.isArray(models)) {
    const matches = compilePatterns(models)
    return {
      names: models.filter((name) => !name.includes('*')),
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
    upstreamName: (model) => exact.get(model) ?? firstRename(renames, model),
  }
}

type Rename = (model: string) => string | undefined

/** `"acme/*": "*"` hands on what the star stood for; a target without a star is one fixed name. */
function compileRename(pattern: string, target: string): Rename {
  const regExp = toRegExp(pattern)
  return (model) => {
    const match = regExp.exec(model)
    return match ? target.replace('*', () => match[1] ?? '') : undefined
  }
}

function firstRename(renames: readonly Rename[], model: string): string | undefined {
  for (const rename of renames) {
    const name = rename(model)
    if (name !== undefined) return name
  }
  return undefined
}

function toRegExp(pattern: string): RegExp {
  const source = pattern
    .split('*')
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('(.*)')
  return new RegExp(`^${source}$`, 's')
}
