import type { Account } from '../contract/account.ts'
import { compilePatterns } from './patterns.ts'

/**
 * Whether any of these accounts has a model. A look-up costs as much for ten thousand accounts as for one, unless
 * thousands of patterns begin alike: patterns are found by their text before the first star.
 */
export function indexNames(
  accounts: readonly Pick<Account, 'models'>[],
): (model: string) => boolean {
  const all = new Set<string>()
  const byBeginning = new Map<string, string[]>()
  for (const { models } of accounts) {
    const { names, patterns = names } = models
    for (const pattern of patterns) {
      if (all.has(pattern)) continue
      all.add(pattern)
      const star = pattern.indexOf('*')
      if (star >= 0) addTo(byBeginning, pattern.slice(0, star), pattern)
    }
  }
  const lengths = [...new Set([...byBeginning.keys()].map(({ length }) => length))]
  const compiled = new Map<string, (model: string) => boolean>()
  const matches = (beginning: string, model: string) => {
    const patterns = byBeginning.get(beginning)
    if (!patterns) return false
    const known = compiled.get(beginning) ?? compilePatterns(patterns)
    compiled.set(beginning, known)
    return known(model)
  }
  return (model) =>
    (all.has(model) && !model.includes('*')) ||
    lengths.some((length) => matches(model.slice(0, length), model))
}

function addTo(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}
