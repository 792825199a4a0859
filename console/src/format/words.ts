/** Words of the gateway as a sentence: a capital at its beginning, a full stop at its end. */
export function sentence(words: string): string {
  const text = words.trim()
  if (text === '') return ''
  const capital = text.slice(0, 1).toUpperCase() + text.slice(1)
  return /[.!?:]$/.test(capital) ? capital : `${capital}.`
}

/** `a`, `a and b`, `a, b and 3 more`. */
export function listOf(names: readonly string[], most = 3): string {
  const shown = names.slice(0, most)
  const left = names.length - shown.length
  if (left > 0) return `${shown.join(', ')} and ${left} more`
  const last = shown.pop()
  return shown.length === 0 ? (last ?? '') : `${shown.join(', ')} and ${last}`
}
