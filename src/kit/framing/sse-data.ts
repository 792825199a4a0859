import type { ByteRange } from '../../lib/json/scan.ts'
import { findLines, joinLines } from '../../lib/sse.ts'
import type { UndecodedEvent } from './undecoded.ts'

const lineFeed = 0x0a
const carriageReturn = 0x0d
const space = 0x20
const colon = 0x3a
const nextLine = Buffer.from('\ndata: ')

/** The data of a server-sent event, never decoded: bytes that are no UTF-8 stay as they are. */
export function dataOf(frame: Buffer): Buffer | undefined {
  return joined(frame, findLines(frame).data, lineFeed)
}

/** The same on one line, and the name. */
export function readOnOneLine(frame: Buffer): UndecodedEvent {
  const { name, data } = findLines(frame)
  return {
    name: name ? frame.toString('utf8', name.start, name.end) : '',
    data: joined(frame, data, space),
  }
}

/** Several `data:` lines are one text. */
function joined(frame: Buffer, lines: readonly ByteRange[], between: number): Buffer | undefined {
  const [first] = lines
  if (!first) return undefined
  if (lines.length === 1) return frame.subarray(first.start, first.end)
  return joinLines(frame, lines, between)
}

/** Returns the same frame if `change` returns the data that it gets. */
export function changeData(frame: Buffer, change: (data: Buffer) => Buffer): Buffer {
  const places = findLines(frame).data
  const data = joined(frame, places, lineFeed)
  if (!data) return frame
  const changed = change(data)
  return changed === data ? frame : withLines(frame, places, changed)
}

function withLines(frame: Buffer, places: readonly ByteRange[], data: Buffer): Buffer {
  const lines = linesOf(data)
  return lines.length === places.length
    ? inPlaces(frame, places, data, lines)
    : inFirstPlace(frame, places, data, lines)
}

/** Each line keeps its place. */
function inPlaces(
  frame: Buffer,
  places: readonly ByteRange[],
  data: Buffer,
  lines: readonly ByteRange[],
): Buffer {
  const changed = Buffer.allocUnsafe(frame.length + lengthOf(lines) - lengthOf(places))
  let [at, copied] = [0, 0]
  for (const [index, { start, end }] of places.entries()) {
    const line = lines[index]!
    at += frame.copy(changed, at, copied, start)
    at += data.copy(changed, at, line.start, line.end)
    copied = end
  }
  frame.copy(changed, at, copied)
  return changed
}

/** All lines stand where the first one was. Lines of other fields stay. */
function inFirstPlace(
  frame: Buffer,
  [first, ...others]: readonly ByteRange[],
  data: Buffer,
  lines: readonly ByteRange[],
): Buffer {
  const pieces = [frame.subarray(0, first!.start)]
  for (const [index, { start, end }] of lines.entries()) {
    if (index > 0) pieces.push(nextLine)
    pieces.push(data.subarray(start, end))
  }
  let copied = first!.end
  for (const { start, end } of others) {
    const lineStart =
      start - (frame[start - 1] === colon ? nextLine.length - 2 : nextLine.length - 1)
    if (lineStart > copied) pieces.push(frame.subarray(copied, lineStart))
    copied = frame[end] === carriageReturn && frame[end + 1] === lineFeed ? end + 2 : end + 1
  }
  pieces.push(frame.subarray(copied))
  return Buffer.concat(pieces)
}

function linesOf(data: Buffer): ByteRange[] {
  const lines: ByteRange[] = []
  for (let start = 0; start <= data.length;) {
    const feed = data.indexOf(lineFeed, start)
    const end = feed < 0 ? data.length : feed
    lines.push({ start, end })
    start = end + 1
  }
  return lines
}

function lengthOf(ranges: readonly ByteRange[]): number {
  return ranges.reduce((sum, { start, end }) => sum + end - start, 0)
}
