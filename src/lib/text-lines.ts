import { pacer } from './turns.ts'

/** The largest line, in bytes. */
const longestLine = 16 * 1024 * 1024

const lineFeed = 0x0a

/** A line of a text, and where it begins. */
interface Line {
  /** From 1. */
  readonly number: number
  /** Its first byte within the text. */
  readonly start: number
  /** Without its end; `undefined` for a line of more than 16 MiB. */
  readonly bytes: Buffer | undefined
}

/** Options of `linesOf`. */
interface LinesOptions {
  /** Called with the bytes so far of a line that is longer than a part of the text; the next part waits for its promise. */
  hold?(bytes: number): Promise<void> | undefined
  /** The id of the API key whose work it is. */
  readonly owner?: string
}

/** The lines of a text, each of which is in memory alone. Gives way to others between them. */
export async function* linesOf(
  text: AsyncIterable<Buffer> | Iterable<Buffer>,
  { hold, owner }: LinesOptions = {},
): AsyncGenerator<Line> {
  const giveWay = pacer(owner)
  let number = 1
  let start = 0
  let parts: Buffer[] = []
  let length = 0
  const lineOf = (rest: Buffer): Line => {
    const bytes = length + rest.length > longestLine ? undefined : Buffer.concat([...parts, rest])
    return { number, start, bytes }
  }
  for await (const chunk of text) {
    let from = 0
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, from)) {
      const rest = chunk.subarray(from, at)
      yield lineOf(rest)
      start += length + rest.length + 1
      number++
      parts = []
      length = 0
      from = at + 1
      const turn = giveWay()
      if (turn) await turn
    }
    const rest = chunk.subarray(from)
    length += rest.length
    if (length <= longestLine) {
      // A copy: the part may have many other lines.
      parts.push(Buffer.from(rest))
      const waiting = hold?.(length)
      if (waiting) await waiting
    } else parts = []
  }
  if (length > 0) yield lineOf(Buffer.alloc(0))
}
