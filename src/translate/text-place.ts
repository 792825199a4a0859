import type { Piece } from '../codec.ts'

/**
 * Where the text stands in a frame, between its quotes. `textIn` reads a frame: what was found counts
 * only if another text in its place is the text of the frame, since the same words may stand elsewhere
 * as well. Undefined where it is written in some other way than most do.
 */
export function placeOf(
  { key, text }: Piece,
  frame: string,
  textIn: (frame: string) => string | undefined,
): { start: number; end: number } | undefined {
  const written = JSON.stringify(text)
  for (const member of [`"${key}":${written}`, `"${key}": ${written}`]) {
    const at = frame.indexOf(member)
    if (at < 0) continue
    const end = at + member.length - 1
    const start = end - written.length + 2
    const isThere = textIn(`${frame.slice(0, end)}.${frame.slice(end)}`) === `${text}.`
    return isThere ? { start, end } : undefined
  }
  return undefined
}
