import { GatewayError } from '../../contract/errors.ts'
import { deepest, isObject, isTooDeep } from '../../lib/json/object.ts'
import { checkBoolean, checkObject, checkString, wrong } from '../checks.ts'

type Json = Readonly<Record<string, unknown>>

// Checked reads of a client's JSON. Each throws `GatewayError` `invalid_value` with `path` as `param`.

/** Returns a value that must be an object. */
export function readObject(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (!isObject(value)) throw wrong(path, 'an object')
  return value
}

/** Returns a value that must be a string. */
export function readText(value: unknown, path: string): string {
  if (typeof value !== 'string') throw wrong(path, 'a string')
  return value
}

/** Returns a value that must be a non-empty string, such as a name or an id. */
export function readName(value: unknown, path: string): string {
  if (typeof value !== 'string' || value === '') throw wrong(path, 'a non-empty string')
  return value
}

/** Returns a value that must be an array. */
export function readList(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw wrong(path, 'an array')
  return value
}

/** Returns a member that must be a string if it is given. `path` is the path of the object. */
export function textMember(json: Json | undefined, name: string, path?: string) {
  if (!json) return undefined
  checkString(json, name, path)
  return (json[name] ?? undefined) as string | undefined
}

/** Returns a member that must be a boolean if it is given. */
export function booleanMember(json: Json | undefined, name: string, path?: string) {
  if (!json) return undefined
  checkBoolean(json, name, path)
  return (json[name] ?? undefined) as boolean | undefined
}

/** Returns a member that must be an object if it is given. */
export function objectMember(json: Json | undefined, name: string, path?: string) {
  if (!json) return undefined
  checkObject(json, name, path)
  return (json[name] ?? undefined) as Json | undefined
}

/** Whether a value is neither `undefined` nor `null`. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** Throws `invalid_value` for a client's value that is nested too deeply for a recursive reader. */
export function checkDepth(value: unknown, field: string): void {
  if (isTooDeep(value)) throw wrong(field, `nested at most ${deepest} levels deep`)
}

/** Throws `upstream_reply_too_large` for arguments of a tool call that are nested too deeply. */
export function checkArguments(value: unknown): void {
  if (!isTooDeep(value)) return
  throw new GatewayError(
    'upstream_reply_too_large',
    'The upstream sent a function call whose arguments are nested too deeply.',
  )
}

/** The error for a request that an account cannot serve without changing its meaning; another account may. */
export function refused(message: string, field?: string): GatewayError {
  return new GatewayError('invalid_value', message, field === undefined ? {} : { param: field })
}
