import type { Account } from '../contract/account.ts'
import { compilePatterns } from './patterns.ts'

/**
 * Whether any of these accounts has a model. A look-up costs as much for ten thousand accounts as for one, unless
 * thousands of patterns begin alike: patterns are found by their text before the first star.
 */
export function indexNames(
  accounts: readonly Pick<Account, 'models'>[],
): (model: string) => boolean {
  const exact = new Set<string>()
  const byBeginning = new Map<string, Set<string>>()
  for (const { models } of accounts) {
    const { names, patterns = names } = models
    for (const pattern of patterns) {
      const star = pattern.indexOf('*')
      if (star < 0) exact.add(pattern)
      else addTo(byBeginning, pattern.slice(0, star), pattern)
    }
  }
  const matchers = new Map(
    [...byBeginning].map(([beginning, patterns]) => [beginning, compilePatterns([...patterns])]),
  )
  const lengths = [...new Set([...matchers.keys()].map(({ length }) => length))]
  return (model) =>
    exact.has(model) || lengths.some((length) => matchers.get(model.slice(0, length))?.(model))
}

function addTo(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key)
  if (set) set.add(value)
  else sets.set(key, new Set([value]))
}
