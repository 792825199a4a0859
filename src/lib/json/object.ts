import { type JsonLimits, JsonMeasure, smallJson } from './measure.ts'

/** The maximum nesting of objects and lists. */
export const deepest = 200

/** Whether objects and lists are nested more deeply: recursion could overflow the stack. */
export function isTooDeep(value: unknown, levels = deepest): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) return value.some((item) => isTooDeep(item, levels - 1))
  // A list of the values, for each object of each reply, would cost more than looking at them.
  for (const name in value) {
    if (isTooDeep((value as Record<string, unknown>)[name], levels - 1)) return true
  }
  return false
}

/** The most that one part of a message or one frame of a stream may contain. */
export const mostJson: JsonLimits = {
  jsonDepth: deepest,
  jsonValues: 250_000,
  bareBytes: 8 * 1024 * 1024,
}

/** The most values and names of a text that is written again without what it discloses. */
const mostWritten = 10_000

/**
 * Whether a text has so many values and names that to look at each and to copy it would take a tenth of a second.
 */
export function hasManyValues(bytes: Buffer): boolean {
  const limits = { ...mostJson, jsonValues: mostWritten }
  return bytes.length > smallJson && JsonMeasure.of(bytes, limits).excess === 'jsonValues'
}

/** Thrown for JSON that is nested too deeply or has too many values. */
export class TooMuchJson extends Error {}

/** Throws `TooMuchJson` for a large text beyond the limits: measuring costs a small part of reading a hostile one. */
export function assertWithin(text: string | Buffer): void {
  if (text.length <= smallJson) return
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  if (JsonMeasure.of(bytes, mostJson).excess) throw new TooMuchJson()
}

/** Parses JSON that others have written. Throws `SyntaxError`, or `TooMuchJson` before it parses too much. */
export function parseWithin(text: string): unknown {
  assertWithin(text)
  const value: unknown = JSON.parse(text)
  // Each level takes two characters. A large text has been measured.
  const mayBeDeep = text.length > 2 * deepest && text.length <= smallJson
  if (mayBeDeep && isTooDeep(value)) throw new TooMuchJson()
  return value
}

/** Parses a JSON object; `undefined` for other values, invalid JSON and too deep nesting. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseWithin(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Whether a value is an object: not null, not a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

type Defined<Members> = {
  [Name in keyof Members as undefined extends Members[Name] ? never : Name]: Members[Name]
} & {
  [Name in keyof Members as undefined extends Members[Name] ? Name : never]?: Exclude<
    Members[Name],
    undefined
  >
}

/**
 * The members that are not undefined. In a spread, an undefined member would hide an earlier one.
 */
export function defined<Members extends object>(members: Members): Defined<Members> {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Defined<Members>
}

/** A JSON object of unknown content. */
export type JsonObject = Readonly<Record<string, unknown>>

const ordinary = { writable: true, enumerable: true, configurable: true } as const

/** Sets a member, as `JSON.parse` does: `__proto__` is a member like any other. */
export function setOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value
  else Object.defineProperty(object, name, { value, ...ordinary })
}
