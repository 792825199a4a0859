import type { AccountCodec } from '../../contract/codec.ts'
import type { FramedEvent, Framing } from '../../contract/framing.ts'
import { Collector } from '../../generate/collect.ts'
import type { GenerateEvent } from '../../generate/events.ts'
import type { GenerateRequest } from '../../generate/request.ts'
import type { GenerateResult } from '../../generate/result.ts'
import { parseData } from '../../translate/read-events.ts'

/** What a decoder emitted. */
export interface ReadStream {
  /** `undefined` without `finish`. */
  readonly result: GenerateResult | undefined
  readonly events: readonly GenerateEvent[]
  /** The events that each frame stands for. */
  readonly frames: readonly (readonly GenerateEvent[])[]
}

/** The events of a whole stream, or of the whole frames at the beginning of one. */
export function framedEvents(framing: Framing, bytes: Buffer, isWhole = true): FramedEvent[] {
  const events: FramedEvent[] = []
  const joiner = framing.join()
  for (const frames of [joiner.feed(bytes), isWhole ? joiner.end() : undefined]) {
    if (!frames) continue
    for (let start = 0; start < frames.length;) {
      const end = framing.frameEnd(frames, start)
      events.push(framing.parse(frames.subarray(start, end)))
      start = end
    }
  }
  return events
}

/** Reads events as if an account had sent them. */
export function readStream(
  codec: AccountCodec,
  framed: readonly FramedEvent[],
  request: GenerateRequest,
): ReadStream {
  const events: GenerateEvent[] = []
  const collector = new Collector()
  const decoder = codec.decodeEvents(request, (event) => {
    events.push(event)
    collector.collect(event)
  })
  const frames = framed.map(({ name, data, isError }) => {
    const before = events.length
    if (data === '[DONE]') decoder.done?.()
    else if (data !== undefined) decoder.decode(parseData(data), name, isError)
    return events.slice(before)
  })
  decoder.end?.()
  return { result: collector.result, events, frames }
}
