import { GatewayError } from '../contract/errors.ts'

// Checks of request fields. `null` counts as absent, because SDKs send it for unset options.
// A check does not descend into a field, so its cost does not depend on the size of the request. Each
// throws a `GatewayError` with the field as `param`: `name`, or `path.name` with the `path` of the object that has
// the field.

type Json = Readonly<Record<string, unknown>>

/** How a client finds a field. */
function fieldAt(path: string | undefined, name: string): string {
  return path === undefined ? name : `${path}.${name}`
}

/** Whether a field is neither absent nor `null`. */
export function isPresent(json: Json, name: string): boolean {
  return (json[name] ?? undefined) !== undefined
}

/** Throws `missing_required_parameter` if a field is absent. */
export function requireField(json: Json, name: string, path?: string): void {
  if (!isPresent(json, name)) {
    const param = fieldAt(path, name)
    throw new GatewayError('missing_required_parameter', `\`${param}\` is required.`, { param })
  }
}

/** Returns a field that must be a string and not blank. */
export function requireString(json: Json, name: string, path?: string): string {
  requireField(json, name, path)
  const value = json[name]
  if (typeof value !== 'string' || value.trim() === '')
    throw wrong(fieldAt(path, name), 'a non-empty string')
  return value
}

/** Checks that a field is a string, if present. */
export function checkString(json: Json, name: string, path?: string): void {
  const value = json[name] ?? undefined
  if (value !== undefined && typeof value !== 'string') throw wrong(fieldAt(path, name), 'a string')
}

/** Checks that a field is one of these words, if present. */
export function checkWord(json: Json, name: string, words: readonly string[], path?: string): void {
  const value = json[name] ?? undefined
  if (value === undefined) return
  if (typeof value !== 'string' || !words.includes(value)) {
    const [only, ...more] = words
    throw wrong(fieldAt(path, name), more.length ? `one of ${words.join(', ')}` : `\`${only}\``)
  }
}

/** Checks that a field is a boolean, if present. */
export function checkBoolean(json: Json, name: string, path?: string): void {
  const value = json[name] ?? undefined
  if (value !== undefined && typeof value !== 'boolean')
    throw wrong(fieldAt(path, name), 'true or false')
}

/** Checks that a field is a number from `least` to `most`, if present. */
export function checkNumber(
  json: Json,
  name: string,
  least: number,
  most: number,
  path?: string,
): void {
  const value = json[name] ?? undefined
  if (value === undefined) return
  if (typeof value !== 'number' || value < least || value > most) {
    throw wrong(fieldAt(path, name), `a number from ${least} to ${most}`)
  }
}

/** Checks that a field is an integer from `least` to `most`, if present. */
export function checkInteger(
  json: Json,
  name: string,
  least: number,
  most = Infinity,
  path?: string,
): void {
  const value = json[name] ?? undefined
  if (value === undefined) return
  const isBounded = (value as number) >= least && (value as number) <= most
  // Without an upper bound, integers that a double cannot count are refused too, such as 1e300.
  const isWhole = most === Infinity ? Number.isSafeInteger(value) : Number.isInteger(value)
  if (!isWhole || !isBounded)
    throw wrong(fieldAt(path, name), `an integer, ${formatRange(least, most)}`)
}

/** Checks that a field is an array of `least` to `most` items, if present. */
export function checkArray(
  json: Json,
  name: string,
  least = 0,
  most = Infinity,
  path?: string,
): void {
  const value = json[name] ?? undefined
  if (value === undefined) return
  if (!Array.isArray(value)) throw wrong(fieldAt(path, name), 'an array')
  if (value.length < least || value.length > most) {
    const last = most === Infinity ? least : most
    throw wrong(
      fieldAt(path, name),
      `an array with ${formatRange(least, most)} ${last === 1 ? 'item' : 'items'}`,
    )
  }
}

/** Checks that a field is an array of at most `most` strings, if present. */
export function checkStrings(json: Json, name: string, most = Infinity, path?: string): void {
  checkArray(json, name, 0, most, path)
  for (const item of (json[name] as readonly unknown[] | null | undefined) ?? []) {
    if (typeof item !== 'string') throw wrong(fieldAt(path, name), 'an array of strings')
  }
}

/** Checks that a field is an object, if present. */
export function checkObject(json: Json, name: string, path?: string): void {
  const value = json[name] ?? undefined
  if (value === undefined) return
  if (typeof value !== 'object' || Array.isArray(value))
    throw wrong(fieldAt(path, name), 'an object')
}

/** Checks that a field is a string or an object, if present. */
export function checkStringOrObject(json: Json, name: string, path?: string): void {
  if (typeof json[name] !== 'string') checkObject(json, name, path)
}

/** Checks that a field is one of these words, or an object in which `member` is a string, if present. */
export function checkChoice(
  json: Json,
  name: string,
  words: readonly string[],
  member: string,
  path?: string,
): void {
  const value = json[name] ?? undefined
  if (value === undefined || words.includes(value as string)) return
  if (typeof (value as Json)[member] === 'string') return
  throw wrong(
    fieldAt(path, name),
    `${words.map((word) => `"${word}"`).join(', ')} or an object with \`${member}\``,
  )
}

/** Checks stop sequences: a string, or an array of at most `most` strings. */
export function checkStop(json: Json, name: string, most: number, path?: string): void {
  if (typeof json[name] !== 'string') checkStrings(json, name, most, path)
}

/** The error for a field with another value than `expected`, such as `a string`. */
export function wrong(name: string, expected: string): GatewayError {
  return new GatewayError('invalid_value', `\`${name}\` must be ${expected}.`, { param: name })
}

function formatRange(least: number, most: number): string {
  if (most === Infinity) return `at least ${least}`
  return least === 0 ? `at most ${most}` : `from ${least} to ${most}`
}
