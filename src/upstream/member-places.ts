import { isKey } from '../lib/json/is-key.ts'
import { type JsonLimits, JsonMeasure } from '../lib/json/measure.ts'
import { TooMuchJson } from '../lib/json/object.ts'
import { visitMembers } from '../lib/json/parse-pieces.ts'
import { type ByteRange, eachMember } from '../lib/json/scan.ts'
import { skipSpace } from '../lib/json/white-space.ts'
import type { Turns } from '../lib/turns.ts'
import { addPlace } from './places.ts'

/** The keys of a path from the root of a JSON object, as JSON. */
export type KeyPath = readonly Buffer[]

const openBrace = 0x7b

/** The values of the member at a path, and of its duplicates. Throws `TooMuchJson` for too many. */
export function placesOf(json: Buffer, path: KeyPath): readonly ByteRange[] {
  let places = rootOf(json)
  for (const key of path) {
    const inside: ByteRange[] = []
    for (const { start } of places) {
      if (json[start] === openBrace) eachMember(json, start, addIf(json, key, inside))
    }
    places = inside
  }
  return places
}

/**
 * The same in turns of the event loop. Rejects also with `SyntaxError`, and with `TooMuchJson` for a text beyond the
 * limits.
 */
export async function placesInTurns(
  json: Buffer,
  path: KeyPath,
  limits: JsonLimits,
  turns: Turns,
): Promise<readonly ByteRange[]> {
  const measure = new JsonMeasure(json, limits)
  if (await measure.measureInTurns(turns)) throw new TooMuchJson()
  let places = rootOf(json)
  for (const key of path) {
    const inside: ByteRange[] = []
    for (const { start } of places) {
      if (json[start] !== openBrace) continue
      await visitMembers(json, measure.ends, turns, addIf(json, key, inside), start)
    }
    places = inside
  }
  return places
}

function rootOf(json: Buffer): readonly ByteRange[] {
  return [{ start: skipSpace(json, 0), end: json.length }]
}

/** Adds the values of members with a key. */
function addIf(json: Buffer, key: Buffer, places: ByteRange[]) {
  return (name: ByteRange, value: ByteRange) => {
    if (isKey(json, name, key)) addPlace(places, value)
  }
}
