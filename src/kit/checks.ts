import { GatewayError } from '../contract/errors.ts'

/**
 * Checks of top-level request fields. `null` and absent are the same: SDKs send what users typed.
 * They look at a field and never walk into it, so a request costs the same however long it is.
 */

type Json = Readonly<Record<string, unknown>>

export function isPresent(json: Json, name: string): boolean {
  return (json[name] ?? undefined) !== undefined
}

export function requireField(json: Json, name: string): void {
  if (!isPresent(json, name)) {
    throw new GatewayError('missing_required_parameter', `\`${name}\` is required.`, {
      param: name,
    })
  }
}

/** A required string that is not blank. */
export function requireString(json: Json, name: string): string {
  requireField(json, name)
  const value = json[name]
  if (typeof value !== 'string' || value.trim() === '') throw wrong(name, 'a non-empty string')
  return value
}

export function checkString(json: Json, name: string): void {
  const value = json[name] ?? undefined
  if (value !== undefined && typeof value !== 'string') throw wrong(name, 'a string')
}

export function checkBoolean(json: Json, name: string): void {
  const value = json[name] ?? undefined
  if (value !== undefined && typeof value !== 'boolean') throw wrong(name, 'true or false')
}

export function checkNumber(json: Json, name: string, least: number, most: number): void {
  const value = json[name] ?? undefined
  if (value === undefined) return
  if (typeof value !== 'number' || value < least || value > most) {
    throw wrong(name, `a number from ${least} to ${most}`)
  }
}

export function checkInteger(json: Json, name: string, least: number, most = Infinity): void {
  const value = json[name] ?? undefined
  if (value === undefined) return
  if (!Number.isInteger(value) || (value as number) < least || (value as number) > most) {
    throw wrong(name, `an integer, ${mostWords(least, most)}`)
  }
}

export function checkArray(json: Json, name: string, least = 0, most = Infinity): void {
  const value = json[name] ?? undefined
  if (value === undefined) return
  if (!Array.isArray(value)) throw wrong(name, 'an array')
  if (value.length < least || value.length > most) {
    const last = most === Infinity ? least : most
    throw wrong(name, `an array with ${mostWords(least, most)} ${last === 1 ? 'item' : 'items'}`)
  }
}

export function checkObject(json: Json, name: string): void {
  const value = json[name] ?? undefined
  if (value === undefined) return
  if (typeof value !== 'object' || Array.isArray(value)) throw wrong(name, 'an object')
}

/** A word, or an object that says more. */
export function checkStringOrObject(json: Json, name: string): void {
  if (typeof json[name] !== 'string') checkObject(json, name)
}

/** Stop sequences: one, or an array of at most `most`. */
export function checkStop(json: Json, name: string, most: number): void {
  if (typeof json[name] !== 'string') checkArray(json, name, 0, most)
}

export function wrong(name: string, expected: string): GatewayError {
  return new GatewayError('invalid_value', `\`${name}\` must be ${expected}.`, { param: name })
}

function mostWords(least: number, most: number): string {
  if (most === Infinity) return `at least ${least}`
  return least === 0 ? `at most ${most}` : `from ${least} to ${most}`
}
