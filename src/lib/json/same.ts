/** Whether two JSON values are the same. A member that is undefined counts as absent. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (!isNested(one) || !isNested(other)) return false
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false
    return one.every((item, index) => isSameJson(item, other[index]))
  }
  for (const name of Object.keys(one)) {
    if (!isSameJson(one[name], ownAt(other, name))) return false
  }
  return Object.keys(other).every((name) => Object.hasOwn(one, name) || other[name] === undefined)
}

function isNested(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** A member of an object or a list; `undefined` where the object inherits it. */
export function ownAt(value: object, name: string | number): unknown {
  return Object.hasOwn(value, name) ? (value as Record<string | number, unknown>)[name] : undefined
}
