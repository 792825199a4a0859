import type { FrameSink, GenerateCodec, ReplyContext } from '../../contract/codec.ts'
import type { GatewayError } from '../../contract/errors.ts'
import type { Framing } from '../../contract/framing.ts'
import { Collector } from '../../generate/collect.ts'
import type { ErrorEvent, GenerateEvent } from '../../generate/events.ts'
import { eventsOf } from '../../generate/replay.ts'
import type { GenerateRequest } from '../../generate/request.ts'
import type { GenerateResult } from '../../generate/result.ts'
import type { JsonObject } from '../../lib/json/object.ts'
import { parseData } from '../../translate/read-events.ts'
import { requestWith } from './codec-requests.ts'

/** A codec under test, with the losses that it has recorded. */
export interface CodecStage {
  readonly dropped: string[]
  /** The request as an account of the dialect gets it, and as its client would have sent it. */
  write(request: GenerateRequest): string
  roundTrip(request: GenerateRequest): GenerateRequest
  /** The reply as a client of the dialect gets it, read as that of an account. */
  resultTrip(result: GenerateResult): GenerateResult | ErrorEvent
  /** The events of its stream, likewise. With `error`, the stream breaks before its end. */
  eventTrip(result: GenerateResult, error?: GatewayError): EventTrip
}

/** What a decoder emitted. */
interface EventTrip {
  readonly result: GenerateResult | undefined
  readonly events: readonly GenerateEvent[]
  readonly ending: 'end' | 'reset'
}

/** What a codec is tested with. */
interface CodecSetting {
  readonly framing: Framing
  readonly model: string
  /** The body of the client's request, where replies depend on it. */
  readonly clientBody: JsonObject
}

export function stageCodec(
  codec: GenerateCodec,
  { framing, model, clientBody }: CodecSetting,
): CodecStage {
  const dropped: string[] = []
  const drop = (field: string) => void dropped.push(field)
  const request = requestWith({})
  const context: ReplyContext = {
    rawRequest: { body: clientBody, stream: false, query: '', headers: {} },
    request,
    requestId: 'request_1',
    model,
    now: 1_700_000_000_000,
    newId: (prefix) => `${prefix}000000000000000000000001`,
    framing,
    drop,
  }
  return {
    dropped,
    write: (asked) => JSON.stringify(codec.encodeRequest(asked, model, drop)),
    roundTrip(asked) {
      const { body, query = '' } = codec.encodeRequest(asked, model, drop)
      return codec.decodeRequest({ body, query, stream: asked.stream, headers: {} })
    },
    resultTrip: (result) => codec.decodeResult(codec.encodeResult(result, context).body, request),
    eventTrip(result, error) {
      const frames: Buffer[] = []
      const encoder = codec.encodeEvents(context, collectFrames(frames))
      const events = eventsOf(result).filter((event) => event.type !== 'error')
      for (const event of error ? events.slice(0, 3) : piecesOf(events)) encoder.encode(event)
      const ending = error ? encoder.fail(error) : 'end'
      const read = readFrames(codec, framing, Buffer.concat(frames), request)
      return { ...read, ending }
    },
  }
}

type Encodable = Exclude<GenerateEvent, ErrorEvent>

/** The events with each text in two. */
function piecesOf(events: readonly Encodable[]): Encodable[] {
  return events.flatMap((event): Encodable[] => {
    if (event.type !== 'delta' || event.text.length < 2) return [event]
    return [event.text.slice(0, 1), event.text.slice(1)].map((text) => ({ ...event, text }))
  })
}

function collectFrames(frames: Buffer[]): FrameSink {
  const write = (more: string | Buffer) => void frames.push(Buffer.from(more as Buffer))
  return {
    count: 0,
    write,
    writeText({ before, after, end }, text) {
      const number = end ? `${this.count++}${end.toString()}` : ''
      write(`${before.toString()}${JSON.stringify(text)}${after.toString()}${number}`)
    },
  }
}

/** Reads frames as those of an account. */
function readFrames(
  codec: GenerateCodec,
  framing: Framing,
  bytes: Buffer,
  request: GenerateRequest,
): Omit<EventTrip, 'ending'> {
  const events: GenerateEvent[] = []
  const collector = new Collector()
  const decoder = codec.decodeEvents(request, (event) => {
    events.push(event)
    collector.collect(event)
  })
  const joiner = framing.join()
  for (const frames of [joiner.feed(bytes), joiner.end()]) {
    if (!frames) continue
    for (let start = 0; start < frames.length;) {
      const end = framing.frameEnd(frames, start)
      const { data, name, isError } = framing.parse(frames.subarray(start, end))
      if (data === '[DONE]') decoder.done?.()
      else if (data !== undefined) decoder.decode(parseData(data), name, isError)
      start = end
    }
  }
  decoder.end?.()
  return { result: collector.result, events }
}
