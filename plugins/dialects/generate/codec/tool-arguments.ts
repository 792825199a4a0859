import { parseObject } from '../../../../src/lib/json/object.ts'

/** Arguments that are no JSON object, as an object that says so. */
export const invalidArguments = 'INVALID_JSON'

/** The arguments of a call as an object; undefined where their text is none. */
export function parseArguments(text: string): Record<string, unknown> | undefined {
  return text.trim() === '' ? {} : parseObject(text)
}

/** The arguments of a call of either kind; text that cannot be read stays readable. */
export function argumentsOf(kind: 'function' | 'custom', text: string): Record<string, unknown> {
  if (kind === 'custom') return { input: text }
  return parseArguments(text) ?? { [invalidArguments]: text }
}
