import { InvalidCursor } from './store.ts'

/** In characters. Ids of records are shorter. */
const longest = 8_192

/** Makes a cursor of texts. */
export function sealCursor(parts: readonly string[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

/** The texts of a cursor. Throws `InvalidCursor` unless `sealCursor` made it of as many. */
export function openCursor(cursor: string, count: number): readonly string[] {
  const parts = cursor.length <= longest ? partsOf(cursor) : undefined
  const isSound =
    Array.isArray(parts) &&
    parts.length === count &&
    parts.every((part) => typeof part === 'string' && part.isWellFormed())
  if (!isSound) throw new InvalidCursor()
  return parts
}

function partsOf(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
}
