import { type JsonObject, parseObject } from '../../../../src/lib/json/object.ts'

/** The member with arguments that are not a JSON object, which this dialect cannot represent. */
const marker = '__unparsed_arguments'

/**
 * Parses arguments as an object. A text that is not a JSON object becomes the value of a marker member,
 * and `isInvalid` is true.
 */
export function inputOf(text: string): { readonly input: JsonObject; readonly isInvalid: boolean } {
  if (text.trim() === '') return { input: {}, isInvalid: false }
  const input = parseObject(text)
  return input ? { input, isInvalid: false } : { input: { [marker]: text }, isInvalid: true }
}

/** Returns an input as the text of arguments; for a marker member, the text in it. */
export function argumentsTextOf(input: unknown): string {
  if (typeof input === 'string') return input === '' ? '{}' : input
  if (typeof input !== 'object' || input === null) return '{}'
  const original = (input as JsonObject)[marker]
  if (typeof original === 'string' && Object.keys(input).length === 1) return original
  return JSON.stringify(input)
}
