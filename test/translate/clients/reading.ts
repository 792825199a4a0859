import type { JsonObject } from '../../../src/lib/json/object.ts'

/** A call as a client of any dialect understands it. */
export interface ReadCall {
  readonly id: string | undefined
  readonly name: string
  /** Parsed where it is JSON. */
  readonly input: unknown
}

/** Tokens, each absent where the reply does not tell it. */
export interface ReadUsage {
  readonly input?: number | undefined
  readonly output?: number | undefined
  readonly cached?: number | undefined
  readonly reasoning?: number | undefined
}

/** What a client understands of a reply, whichever dialect it speaks. */
export interface Reading {
  readonly text: string
  readonly thoughts: string
  readonly calls: readonly ReadCall[]
  /** In the dialect's own word; `''` where the reply did not come so far. */
  readonly stop: string
  readonly usage: ReadUsage
  /** `open`: cut off, without a word of the end. */
  readonly ending: 'complete' | 'failed' | 'open'
  /** What a reply that failed says of it. */
  readonly failure?: string
}

/** How a client of one dialect reads. Both throw `IllFormed`. */
export interface ClientReader {
  /** Everything that came over the wire, as text. */
  stream(wire: string): Reading
  body(json: JsonObject): Reading
}

/** The bytes are not what the dialect's SDKs can read. */
export class IllFormed extends Error {}

export function insist(holds: boolean, what: string): asserts holds {
  if (!holds) throw new IllFormed(what)
}

/** A member that must be an object. */
export function objectAt(holder: JsonObject, name: string): JsonObject {
  const value = holder[name]
  insist(isObject(value), `${name} is no object`)
  return value
}

/** A member that must be a list of objects. */
export function listAt(holder: JsonObject, name: string): readonly JsonObject[] {
  const value = holder[name]
  insist(Array.isArray(value) && value.every(isObject), `${name} is no list of objects`)
  return value
}

/** A member that must be a string. */
export function stringAt(holder: JsonObject, name: string): string {
  const value = holder[name]
  insist(typeof value === 'string', `${name} is no string`)
  return value
}

/** A member that may be absent or null, but otherwise is a count of tokens. */
export function tokensAt(holder: unknown, name: string): number | undefined {
  const value = isObject(holder) ? holder[name] : undefined
  if (value === undefined || value === null) return undefined
  insist(typeof value === 'number' && value >= 0, `${name} is no count`)
  return value
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A call's arguments, which need not be JSON in every dialect. */
export function parsedInput(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
