/** The maximum nesting of objects and lists. */
export const deepest = 200

/** Whether objects and lists are nested more deeply: recursion could overflow the stack. */
export function isTooDeep(value: unknown, levels = deepest): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  for (const member of members) {
    if (typeof member === 'object' && isTooDeep(member, levels - 1)) return true
  }
  return false
}

/** Parses a JSON object; `undefined` for other values, invalid JSON and too deep nesting. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (!isObject(value)) return undefined
    return text.length > deepest && isTooDeep(value) ? undefined : value
  } catch {
    return undefined
  }
}

/** Whether a value is an object: not null, not a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

type Defined<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> }

/**
 * The members that are not undefined. In a spread, an undefined member would hide an earlier one.
 */
export function defined<Members extends object>(members: Members): Defined<Members> {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Defined<Members>
}

/** A JSON object of unknown content. */
export type JsonObject = Readonly<Record<string, unknown>>
