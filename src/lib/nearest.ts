/**
 * The candidate that is most similar to a mistyped word, or the only one that begins with it; `undefined` when
 * no candidate is similar.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined
  let bestDistance = Math.max(2, Math.floor(word.length / 3)) + 1
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase())
    // Any two-letter word is two edits away from any other.
    if (distance < bestDistance && distance < candidate.length - 1) {
      best = candidate
      bestDistance = distance
    }
  }
  return best ?? onlyLonger(word, candidates)
}

/** The shortest word of which the beginning of a name can be sure. */
const shortestBeginning = 3

/** The one candidate that begins with the word, such as `ttlSeconds` for `ttl`. */
function onlyLonger(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length < shortestBeginning) return undefined
  const start = word.toLowerCase()
  const longer = [...candidates].filter((one) => one.toLowerCase().startsWith(start))
  return longer.length === 1 ? longer[0] : undefined
}

/** The number of insertions, deletions, replacements and swaps of neighbours between two words. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= to.length; j += 1) {
      const same = from[i - 1] === to[j - 1]
      const costs = [at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1)]
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      if (swapped) costs.push(at(beforeLast, j - 2) + 1)
      row.push(Math.min(...costs))
    }
    beforeLast = last
    last = row
  }
  return at(last, to.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity
}
