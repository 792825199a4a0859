const responsesTiers = ['auto', 'default', 'flex', 'scale', 'priority', 'fast', 'ultrafast']

const equivalents = new Map([
  ['standard', 'default'],
  ['standard_only', 'default'],
])

/** Translates a service tier to this dialect; `undefined` if it has no equivalent. */
export function tierOf(tier: string): string | undefined {
  return responsesTiers.includes(tier) ? tier : equivalents.get(tier)
}
