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

/** The JSON object that a text is; `undefined` where it is none, or one that is nested too deeply. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (!isObject(value)) return undefined
    return text.length > deepest && isTooDeep(value) ? undefined : value
  } catch {
    return undefined
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

type Defined<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> }

/** The members that have a value; an undefined one would hide that of an outer spread. */
export function defined<Members extends object>(members: Members): Defined<Members> {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Defined<Members>
}

export type JsonObject = Readonly<Record<string, unknown>>
