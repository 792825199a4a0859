import { type JsonObject, parseObject } from '../../../../src/lib/json/object.ts'

/** Holds arguments that are no JSON object, which this dialect has no form for. */
const marker = '__unparsed_arguments'

/** Arguments as an object. What is none stands in a marker, and `broken` says so. */
export function inputOf(text: string): { readonly input: JsonObject; readonly broken: boolean } {
  if (text.trim() === '') return { input: {}, broken: false }
  const input = parseObject(text)
  return input ? { input, broken: false } : { input: { [marker]: text }, broken: true }
}

/** An object as the text of arguments; a marker gives back what it was made of. */
export function argumentsOf(input: unknown): string {
  if (typeof input === 'string') return input === '' ? '{}' : input
  if (typeof input !== 'object' || input === null) return '{}'
  const kept = (input as JsonObject)[marker]
  if (typeof kept === 'string' && Object.keys(input).length === 1) return kept
  return JSON.stringify(input)
}
