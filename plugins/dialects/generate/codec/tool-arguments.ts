import { parseObject } from '../../../../src/lib/json/object.ts'

/** The member with arguments that are not a JSON object. */
const invalidArguments = 'INVALID_JSON'

/** Parses the arguments of a call; returns `undefined` if the text is not a JSON object. */
export function parseArguments(text: string): Record<string, unknown> | undefined {
  return text.trim() === '' ? {} : parseObject(text)
}

/** Returns the arguments of a call as an object. Invalid text becomes the value of a marker member. */
export function toolArgumentsOf(
  kind: 'function' | 'custom',
  text: string,
): Record<string, unknown> {
  if (kind === 'custom') return { input: text }
  return parseArguments(text) ?? { [invalidArguments]: text }
}
