/** So many objects and lists inside each other are walked through. Nobody writes as many on purpose. */
export const deepest = 200

/** Whether more are inside each other: walking through them could use up the stack. */
export function isTooDeep(value: unknown, levels = deepest): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  for (const member of members) {
    if (typeof member === 'object' && isTooDeep(member, levels - 1)) return true
  }
  return false
}
