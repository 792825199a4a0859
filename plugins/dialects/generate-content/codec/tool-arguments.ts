import { isObject } from './place.ts'

/** Arguments that are no JSON object, as an object that says so. */
export const invalidArguments = 'INVALID_JSON'

/** The arguments of a call as an object; undefined where their text is none. */
export function parseArguments(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The arguments of a call of either kind; text that cannot be read stays readable. */
export function argumentsOf(kind: 'function' | 'custom', text: string): Record<string, unknown> {
  if (kind === 'custom') return { input: text }
  return parseArguments(text) ?? { [invalidArguments]: text }
}
