import { JsonMeasure, smallJson } from './measure.ts'
import { mostJson, parseWithin } from './object.ts'

/** The number in a member; `undefined` for other values and for none. */
export function numberAt(object: unknown, name: string): number | undefined {
  const value = (object as Record<string, unknown> | null | undefined)?.[name]
  return typeof value === 'number' ? value : undefined
}

/** The number of tokens in a member; `undefined` for other values than whole numbers from 0. */
export function tokensAt(object: unknown, name: string): number | undefined {
  const value = numberAt(object, name)
  return Number.isSafeInteger(value) && value! >= 0 ? value : undefined
}

/** The object or list in a member; `undefined` for other values and for none. */
export function objectAt(object: unknown, name: string): Record<string, unknown> | undefined {
  const value = (object as Record<string, unknown> | null | undefined)?.[name]
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)
    : undefined
}

/** The objects in a list; an empty list for other values. */
export function objectsIn(list: unknown): Record<string, unknown>[] {
  if (!Array.isArray(list)) return []
  return list.filter((item) => typeof item === 'object' && item !== null)
}

/** The string in a member; `undefined` for other values and for none. */
export function stringAt(object: unknown, name: string): string | undefined {
  const value = (object as Record<string, unknown> | null | undefined)?.[name]
  return typeof value === 'string' ? value : undefined
}

/** Parses JSON; `undefined` for invalid JSON, too deep nesting and too many values. */
export function parseOrUndefined(text: string): unknown {
  try {
    return parseWithin(text)
  } catch {
    return undefined
  }
}

/**
 * Whether a text that may have been cut off is whole JSON. In a long one, all that
 * it opens has to be closed, as in no beginning of an object.
 */
export function isWhole(bytes: Buffer): boolean {
  if (bytes.length <= smallJson) return parseOrUndefined(bytes.toString()) !== undefined
  const measure = JsonMeasure.of(bytes, mostJson)
  // Its reader refuses a text beyond the limits.
  return measure.excess !== undefined || measure.isClosed
}
