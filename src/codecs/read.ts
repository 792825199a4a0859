import { wrong } from '../checks.ts'
import { isObject } from '../generate/json-object.ts'

/** Checked reading of what a client sent; each names the field at fault. */

export function readObject(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (!isObject(value)) throw wrong(path, 'an object')
  return value
}

export function readText(value: unknown, path: string): string {
  if (typeof value !== 'string') throw wrong(path, 'a string')
  return value
}

/** A name or an id: nothing can be done without it. */
export function readName(value: unknown, path: string): string {
  if (typeof value !== 'string' || value === '') throw wrong(path, 'a non-empty string')
  return value
}

export function readList(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw wrong(path, 'an array')
  return value
}

export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}
