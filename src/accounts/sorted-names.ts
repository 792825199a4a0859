import { compilePatterns } from './patterns.ts'

/**
 * Compiles sorted names into a test: whether a name equals one of them, or a pattern matches one. The test compares a
 * pattern with the names that begin as it does.
 */
export function sortedNames(names: readonly string[]): (pattern: string) => boolean {
  const all = new Set(names)
  const sorted = [...all].sort()
  return (pattern) => {
    const star = pattern.indexOf('*')
    if (star < 0) return all.has(pattern)
    const beginning = pattern.slice(0, star)
    let matches: ((name: string) => boolean) | undefined
    for (let index = firstFrom(sorted, beginning); ; index++) {
      const name = sorted[index]
      if (!name?.startsWith(beginning)) return false
      matches ??= compilePatterns([pattern])
      if (matches(name)) return true
    }
  }
}

/** The index of the first name that does not come before another one. */
function firstFrom(sorted: readonly string[], name: string): number {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (sorted[middle]! < name) from = middle + 1
    else to = middle
  }
  return from
}
