import { isObject } from '../lib/json/object.ts'

/**
 * The types of docs/wire/contract.md 7 for values that an account reports, or that a record contains.
 * Each function returns `undefined` for a value that cannot be brought to its type.
 */

/** A progress as whole percent, from 0 to 100. */
export function percentOf(value: unknown): number | undefined {
  return typeof value === 'number' ? Math.min(Math.max(Math.round(value), 0), 100) : undefined
}

/** A number of things, from 0. */
export function countOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined
}

/** A duration in seconds as a text: `4`, `7.5`. */
export function durationOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && /^\d{1,9}(?:\.\d{1,9})?$/.test(text) ? text : undefined
}

/** A size in pixels as a text: `1280x720`. */
export function sizeOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^\d{1,5}x\d{1,5}$/.test(value) ? value : undefined
}

/** A text that is not blank. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** An object that is no list. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isObject(value) ? value : undefined
}
