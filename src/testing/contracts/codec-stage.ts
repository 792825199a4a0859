import type { FrameSink, GenerateCodec, ReplyContext } from '../../contract/codec.ts'
import type { GatewayError } from '../../contract/errors.ts'
import type { FramedEvent, Framing } from '../../contract/framing.ts'
import type { ErrorEvent, GenerateEvent } from '../../generate/events.ts'
import { eventsOf } from '../../generate/replay.ts'
import type { GenerateRequest } from '../../generate/request.ts'
import type { GenerateResult } from '../../generate/result.ts'
import type { JsonObject } from '../../lib/json/object.ts'
import { requestWith } from './codec-requests.ts'
import { type ReadStream, framedEvents, readStream } from './read-stream.ts'

/** A check of a codec. */
export interface StageCheck {
  readonly name: string
  run(stage: CodecStage): void
}

/** A codec under test, with the losses that it has recorded. */
export interface CodecStage {
  readonly framing: Framing
  readonly dropped: string[]
  /** The request as an account of the dialect gets it, and as its client would have sent it. */
  write(request: GenerateRequest): string
  roundTrip(request: GenerateRequest): GenerateRequest
  /** The reply as a client of the dialect gets it, read as if an account had sent it. */
  resultTrip(result: GenerateResult, request?: GenerateRequest): GenerateResult | ErrorEvent
  writeResult(result: GenerateResult): JsonObject
  readResult(reply: JsonObject): GenerateResult | ErrorEvent
  /** The events of its stream, likewise. With `error`, the stream breaks before its end. */
  eventTrip(result: GenerateResult, error?: GatewayError, request?: GenerateRequest): EventTrip
  /**
   * The reply as its stream is read without each one of its frames, and without a mark of its end that is no JSON, as
   * in `[DONE]`, which may stand for the reason. `undefined` where the reply is not complete.
   */
  withoutEach(result: GenerateResult): (GenerateResult | undefined)[]
}

/** The stream of a client, read as if an account had sent it. */
interface EventTrip extends ReadStream {
  readonly ending: 'end' | 'reset'
  /** What a broken stream ends with. */
  readonly lastFrames: Buffer
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
    framing,
    dropped,
    write: (asked) => JSON.stringify(codec.encodeRequest(asked, model, drop)),
    roundTrip(asked) {
      const { body, query = '' } = codec.encodeRequest(asked, model, drop)
      return codec.decodeRequest({ body, query, stream: asked.stream, headers: {} })
    },
    resultTrip: (result, asked = request) =>
      codec.decodeResult(codec.encodeResult(result, context).body, asked),
    writeResult: (result) => codec.encodeResult(result, context).body,
    readResult: (reply) => codec.decodeResult(reply, request),
    eventTrip(result, error, asked = request) {
      const { frames, lastFrames, ending } = writeStream(codec, context, result, error)
      const read = readStream(codec, framedEvents(framing, frames), asked)
      return { ...read, lastFrames, ending }
    },
    withoutEach(result) {
      const events = framedEvents(framing, writeStream(codec, context, result).frames)
      return events.map((_, at) =>
        completeOf(codec, events.toSpliced(at, 1).filter(isJsonEvent), request),
      )
    },
  }
}

/** The frames of a reply to a client. */
function writeStream(
  codec: GenerateCodec,
  context: ReplyContext,
  result: GenerateResult,
  error?: GatewayError,
) {
  const frames: Buffer[] = []
  const encoder = codec.encodeEvents(context, collectFrames(frames))
  const events = eventsOf(result).filter((event) => event.type !== 'error')
  for (const event of error ? events.slice(0, 3) : piecesOf(events)) encoder.encode(event)
  const good = frames.length
  const ending = error ? encoder.fail(error) : 'end'
  const lastFrames = Buffer.concat(frames.slice(good))
  return { frames: Buffer.concat(frames), lastFrames, ending }
}

function isJsonEvent({ data }: FramedEvent): boolean {
  return data?.startsWith('{') === true
}

function completeOf(
  codec: GenerateCodec,
  events: readonly FramedEvent[],
  request: GenerateRequest,
): GenerateResult | undefined {
  try {
    return readStream(codec, events, request).result
  } catch {
    // A stream that the codec cannot read is not complete.
    return undefined
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
  return { write: (more) => void frames.push(Buffer.from(more as Buffer)) }
}
