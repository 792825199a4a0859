import { GatewayError } from '../../contract/errors.ts'
import { deepest, isObject, isTooDeep } from '../../lib/json/object.ts'
import { wrong } from '../checks.ts'

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

/** Refuses what a client nested too deeply for anybody to walk through it. */
export function checkDepth(value: unknown, field: string): void {
  if (isTooDeep(value)) throw wrong(field, `nested at most ${deepest} levels deep`)
}

/** Refuses such arguments of an account's call. */
export function checkArguments(value: unknown): void {
  if (!isTooDeep(value)) return
  throw new GatewayError(
    'upstream_invalid_reply',
    "The arguments of the upstream's call are nested too deeply.",
  )
}

/** What an account cannot be asked for, and nobody should leave out: another one may take it. */
export function refused(message: string, field?: string): GatewayError {
  return new GatewayError('invalid_value', message, field === undefined ? {} : { param: field })
}
