/** A number where there is one: what an upstream did not tell stays unknown. */
export function numberAt(object: unknown, name: string): number | undefined {
  const value = (object as Record<string, unknown> | null | undefined)?.[name]
  return typeof value === 'number' ? value : undefined
}

/** A number of tokens where there is one: nobody can mean fewer than none, or a part of one. */
export function tokensAt(object: unknown, name: string): number | undefined {
  const value = numberAt(object, name)
  return Number.isSafeInteger(value) && value! >= 0 ? value : undefined
}

/** An object where there is one. */
export function objectAt(object: unknown, name: string): Record<string, unknown> | undefined {
  const value = (object as Record<string, unknown> | null | undefined)?.[name]
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)
    : undefined
}

/** The objects of a list; an upstream may send anything. */
export function objectsIn(list: unknown): Record<string, unknown>[] {
  if (!Array.isArray(list)) return []
  return list.filter((item) => typeof item === 'object' && item !== null)
}

/** A string where there is one. */
export function stringAt(object: unknown, name: string): string | undefined {
  const value = (object as Record<string, unknown> | null | undefined)?.[name]
  return typeof value === 'string' ? value : undefined
}

export function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
