/** Whether `found` has all that `wanted` has: lists of the same length, further members of objects do not matter. */
export function contains(found: unknown, wanted: unknown, name = ''): boolean {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(found) || found.length !== wanted.length) return false
    return wanted.every((item, at) => contains(found[at], item))
  }
  if (typeof wanted === 'object' && wanted !== null) {
    if (typeof found !== 'object' || found === null) return false
    return Object.entries(wanted).every(([member, value]) =>
      contains((found as Record<string, unknown>)[member], value, member),
    )
  }
  // Arguments of a call are JSON, whose white space does not matter.
  if (name === 'arguments' && typeof wanted === 'string' && typeof found === 'string') {
    return jsonOf(found) === jsonOf(wanted)
  }
  return found === wanted
}

function jsonOf(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return text
  }
}
