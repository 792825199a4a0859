import type { BytesToFrame, FrameEncoder, FramedEvent, Framing } from '../../contract/framing.ts'
import { onOneLine } from './one-line.ts'

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
