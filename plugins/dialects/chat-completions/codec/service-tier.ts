const tiers = ['auto', 'default', 'flex', 'scale', 'priority', 'fast', 'ultrafast']

/** What others call the ordinary tier. */
const ordinary = ['standard', 'standard_only']

/** The tier in the dialect's own word; `undefined` for one that it does not have. */
export function tierOf(tier: string): string | undefined {
  if (ordinary.includes(tier)) return 'default'
  return tiers.includes(tier) ? tier : undefined
}
