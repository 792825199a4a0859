import { type ByteRange, decodeString, endOfValue, skipSpace, skipString } from './scan.ts'

/** JSON text, and the ends of its large values by their starts: see `JsonMeasure`. */
export interface MeasuredJson {
  readonly bytes: Buffer
  readonly ends: ReadonlyMap<number, number>
}

/** The places of a member's name and value. */
interface PlacedMember {
  readonly key: ByteRange
  readonly value: ByteRange
}

const quote = 0x22
const closeBracket = 0x5d
const comma = 0x2c

/** The members of the object that starts at `start`, by their names. Of duplicates, the last one. */
export function membersAt(json: MeasuredJson, start: number): Map<string, PlacedMember> {
  const { bytes } = json
  const members = new Map<string, PlacedMember>()
  let at = skipSpace(bytes, start + 1)
  while (bytes[at] === quote) {
    const key = { start: at, end: skipString(bytes, at) }
    const value = valueAt(json, skipSpace(bytes, skipSpace(bytes, key.end) + 1))
    members.set(decodeString(bytes, key), { key, value })
    at = skipSpace(bytes, value.end)
    if (bytes[at] !== comma) break
    at = skipSpace(bytes, at + 1)
  }
  return members
}

/** The elements of the list that starts at `start`. */
export function elementsAt(json: MeasuredJson, start: number): ByteRange[] {
  const { bytes } = json
  const elements: ByteRange[] = []
  let at = skipSpace(bytes, start + 1)
  while (at < bytes.length && bytes[at] !== closeBracket) {
    const element = valueAt(json, at)
    elements.push(element)
    at = skipSpace(bytes, element.end)
    if (bytes[at] !== comma) break
    at = skipSpace(bytes, at + 1)
  }
  return elements
}

function valueAt({ bytes, ends }: MeasuredJson, start: number): ByteRange {
  return { start, end: ends.get(start) ?? endOfValue(bytes, start) }
}
