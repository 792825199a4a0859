const own = ['auto', 'default', 'flex', 'scale', 'priority', 'fast', 'ultrafast']

const others = new Map([
  ['standard', 'default'],
  ['standard_only', 'default'],
])

/** A tier in the words of this dialect; `undefined` where it has none for it. */
export function tierOf(word: string): string | undefined {
  return own.includes(word) ? word : others.get(word)
}
