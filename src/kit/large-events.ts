import type { GatewayError } from '../contract/errors.ts'
import type { FramedEvent, Framing } from '../contract/framing.ts'
import { JsonMeasure } from '../lib/json/measure.ts'
import { type JsonObject, mostJson } from '../lib/json/object.ts'
import { parseInPieces } from '../lib/json/parse-pieces.ts'
import type { ByteRange } from '../lib/json/scan.ts'
import { createSemaphore } from '../lib/semaphore.ts'
import { Turns } from '../lib/turns.ts'
import { brokenEvent, objectOrBroken } from './event-json.ts'
import { tooMuchInEvent } from './too-deep.ts'

/** In bytes. The events of frames from this size on are parsed in turns: at once, many small values take 20 ms and more. */
export const largeFrameBytes = 1024 * 1024

/** An event of a large frame. */
export interface LargeEvent extends FramedEvent {
  readonly data: string
  /** See `eventJson`. */
  readonly json: JsonObject | GatewayError
  /** The position after its frame. */
  readonly end: number
}

/** The large events of a run of frames, by the positions of their frames. */
export type LargeEvents = ReadonlyMap<number, LargeEvent>

/**
 * A parsed event can take more memory than its frame, and only that of the frame is reserved: one at a time. The wait
 * needs no deadline: at most one frame of each other key goes first, and all have limits.
 */
export const oneAtATime = createSemaphore(1)

/** For whom large events are read. */
interface ReadFor {
  /** The id of the API key whose stream it is. */
  readonly keyId: string
  /** Aborts when the stream is over. */
  readonly signal: AbortSignal
}

/**
 * Parses the large events of a run of frames in turns of the event loop, but those of frames that pass
 * unread. API keys take turns. Rejects with the reason of an aborted signal.
 */
export async function readLargeEvents(
  frames: Buffer,
  framing: Framing,
  { keyId, signal }: ReadFor,
  passesUnread: (start: number, end: number) => boolean = () => false,
): Promise<LargeEvents> {
  const places = largeFramesIn(frames, framing, passesUnread)
  const events = new Map<number, LargeEvent>()
  if (places.length === 0) return events
  using _slot = await oneAtATime.take(signal, keyId)
  const turns = new Turns({ owner: keyId, signal })
  for (const { start, end } of places) {
    const event = await readLargeEvent(frames.subarray(start, end), framing, turns)
    if (event) events.set(start, { ...event, end })
  }
  return events
}

function largeFramesIn(
  frames: Buffer,
  framing: Framing,
  passesUnread: (start: number, end: number) => boolean,
): ByteRange[] {
  const places: ByteRange[] = []
  for (let start = 0; start < frames.length;) {
    const end = framing.frameEnd(frames, start)
    if (end - start >= largeFrameBytes && !passesUnread(start, end)) places.push({ start, end })
    start = end
  }
  return places
}

/**
 * `undefined` for a frame without data, and for the mark at the end of some streams. Rejects for a frame that the
 * framing cannot read.
 */
async function readLargeEvent(
  frame: Buffer,
  framing: Framing,
  turns: Turns,
): Promise<Omit<LargeEvent, 'end'> | undefined> {
  await turns.next()
  const { data, ...event } = framing.parse(frame)
  if (data === undefined || data === '[DONE]') return undefined
  await turns.next()
  // Not the bytes of the frame: their line ends may mean nothing to the framing, and much to JSON.
  const json = await jsonInTurns(Buffer.from(data), turns)
  return { ...event, data, json }
}

/** The same as `eventJson` of the text. */
async function jsonInTurns(bytes: Buffer, turns: Turns): Promise<JsonObject | GatewayError> {
  const measure = new JsonMeasure(bytes, mostJson)
  if (await measure.measureInTurns(turns)) return tooMuchInEvent()
  try {
    return objectOrBroken(await parseInPieces(bytes, measure.ends, turns))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return brokenEvent()
  }
}
