import type { BytesToFrame, FrameEncoder, FramedEvent, Framing } from '../../contract/framing.ts'
import { GatewayError } from '../../contract/errors.ts'

/** An event whose data is UTF-8 on one line. */
export interface UndecodedEvent extends Omit<FramedEvent, 'data'> {
  readonly data: Buffer | undefined
}

/** How a framing handles frames without decoding them, which takes longer than all else for the largest ones. */
interface Undecoded {
  /** The same as `Framing.parse`, the data on one line. */
  read(frame: Buffer): UndecodedEvent
}

/** Not members of the framings: a framing that a plugin derives from one of them may read frames otherwise. */
const known = new WeakMap<Framing, Undecoded>()

/** Makes known how a framing handles frames without decoding them. */
export function alsoUndecoded(framing: Framing, undecoded: Undecoded): Framing {
  known.set(framing, undecoded)
  return framing
}

/** Reads a frame, without decoding its data if the framing can do so. */
export function readUndecoded(framing: Framing, frame: Buffer): UndecodedEvent {
  const undecoded = known.get(framing)
  if (undecoded) return undecoded.read(frame)
  const { data, ...event } = framing.parse(frame)
  return { ...event, data: data === undefined ? undefined : Buffer.from(onOneLine(data)) }
}

/** Frames an event, without decoding its data if the encoder can do so. */
export function frameUndecoded(encoder: FrameEncoder, event: BytesToFrame): readonly Buffer[] {
  if (encoder.frameBytes) return encoder.frameBytes(event)
  const frame = encoder.frame({ ...event, data: event.data.toString() })
  return [typeof frame === 'string' ? Buffer.from(frame) : frame]
}

const lineFeed = 0x0a
const carriageReturn = 0x0d
const space = 0x20

/**
 * The data of an event with spaces for its line ends, which mean the same in JSON. Throws `GatewayError` for data with
 * more lines than an event may have.
 */
export function onOneLine(data: string): string {
  checkLines(data)
  return data.replaceAll('\n', ' ').replaceAll('\r', ' ')
}

/** The same for data that is not decoded. */
export function bytesOnOneLine(data: Buffer): Buffer {
  checkLines(data)
  if (!data.includes(lineFeed) && !data.includes(carriageReturn)) return data
  const line = Buffer.from(data)
  replaceAll(line, lineFeed)
  replaceAll(line, carriageReturn)
  return line
}

function replaceAll(bytes: Buffer, byte: number): void {
  for (let at = bytes.indexOf(byte); at >= 0; at = bytes.indexOf(byte, at + 1)) bytes[at] = space
}

/** The most lines of one event. Reading millions of lines takes seconds, and other calls wait meanwhile. */
export const mostLines = 20_000

/** Throws `GatewayError` for the data of an event with too many lines. */
function checkLines(data: string | Buffer): void {
  if (Math.max(countWithin(data, '\n'), countWithin(data, '\r')) > mostLines) throw tooManyLines()
}

/** How often a character is in a text, up to one more than the limit. */
export function countWithin(text: Buffer | string, character: string): number {
  let count = 0
  for (let at = text.indexOf(character); at >= 0 && count <= mostLines; count++) {
    at = text.indexOf(character, at + 1)
  }
  return count
}

export function tooManyLines(): GatewayError {
  return new GatewayError('upstream_invalid_reply', 'A frame of the stream has too many lines.')
}
