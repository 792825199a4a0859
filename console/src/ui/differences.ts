/** A member whose value differs. */
export interface DifferentMember {
  /** Such as `transport.proxy`; empty: the value itself. */
  readonly path: string
  readonly before: unknown
  readonly after: unknown
}

/** The members that differ, in their order. Lists are compared as a whole. */
export function differences(before: unknown, after: unknown, path = ''): DifferentMember[] {
  const [one, other] = [membersOf(before), membersOf(after)]
  if (isUnset(before) && other) return differences({}, after, path)
  if (one && isUnset(after)) return differences(before, {}, path)
  if (!one || !other)
    return JSON.stringify(before ?? null) === JSON.stringify(after ?? null)
      ? []
      : [{ path, before, after }]
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].flatMap((name) =>
    differences(one[name], other[name], path === '' ? name : `${path}.${name}`),
  )
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Readonly<Record<string, unknown>>) : undefined
}

/** Whether a member has no value. */
export function isUnset(value: unknown): boolean {
  return value === undefined || value === null
}
