import type { RawRequest, ReplyContext } from '../../../src/contract/codec.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import type { GenerateEvent } from '../../../src/generate/events.ts'
import type { GenerateRequest } from '../../../src/generate/request.ts'
import type { GenerateResult } from '../../../src/generate/result.ts'
import { Collector } from '../../../src/generate/collect.ts'
import { eventsOf } from '../../../src/generate/replay.ts'
import { sse } from '../../../src/kit/framing/sse.ts'
import { responsesCodec } from '../../../plugins/dialects/responses/codec/index.ts'
import { framesTo } from '../frame-sink.ts'

/** A client's request for this body. */
export function asked(body: JsonObject): RawRequest {
  return { body, stream: body.stream === true, query: '', headers: {} }
}

/** What a client's request means. A string is its input. */
export function decode(body: JsonObject | string): GenerateRequest {
  const { model, ...said } = typeof body === 'string' ? { model: 'm', input: body } : body
  return responsesCodec.decodeRequest(asked({ model: model ?? 'm', input: 'hi', ...said }))
}

/** A request in neutral words, of which only what is told matters. */
export function request(told: Partial<GenerateRequest> = {}): GenerateRequest {
  const turns = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] }]
  return { stream: false, turns, tools: [], sampling: {}, fields: {}, extras: [], ...told }
}

/** The body that an account gets for a request. */
export function encode(told: Partial<GenerateRequest>, model = 'm'): JsonObject {
  return encodeWithLosses(told, model).body
}

/** The same, and what was dropped for the model. */
export function encodeWithLosses(told: Partial<GenerateRequest>, model: string) {
  const dropped: string[] = []
  const drop = (field: string) => void dropped.push(field)
  const { body } = responsesCodec.encodeRequest(request(told), model, drop)
  return { body, dropped }
}

/** What a reply is written with; what is dropped from it is kept in `dropped`. */
export function context(body: JsonObject = {}): ReplyContext & { dropped: string[] } {
  const dropped: string[] = []
  let count = 0
  return {
    rawRequest: asked(body),
    request: request(),
    requestId: 'req_of_exchange',
    model: 'house/large',
    now: 1_700_000_000_500,
    framing: sse,
    newId: (prefix) => prefix + String(++count).padStart(24, '0'),
    drop: (field) => void dropped.push(field),
    dropped,
  }
}

export interface WrittenEvent extends JsonObject {
  readonly type: string
  readonly sequence_number: number
}

/** The frames of a stream that is written, as text. */
export function framesOf(events: readonly GenerateEvent[], body: JsonObject = {}): string {
  let frames = ''
  const encoder = responsesCodec.encodeEvents(
    context(body),
    framesTo((more) => {
      frames += more
    }),
  )
  for (const event of events) if (event.type !== 'error') encoder.encode(event)
  return frames
}

/** The events in frames, `[DONE]` left out. */
export function readFrames(frames: string): WrittenEvent[] {
  return frames
    .split('\n\n')
    .map((frame) => frame.slice(frame.indexOf('data: ') + 6))
    .filter((data) => data.startsWith('{'))
    .map((data) => JSON.parse(data) as WrittenEvent)
}

export interface WrittenResponse {
  readonly id: string
  readonly output: readonly { readonly id: string; readonly type: string }[]
  readonly output_text: string
}

/** The response that the last event of a stream has. */
export function finalResponse(events: readonly WrittenEvent[]): WrittenResponse {
  return (events.at(-1) as unknown as { response: WrittenResponse }).response
}

/** The events that a client gets for a reply. */
export function written(result: GenerateResult, body: JsonObject = {}): WrittenEvent[] {
  return readFrames(framesOf(eventsOf(result), body))
}

/** What an account's events mean, event by event. */
export function decodedEvents(
  events: readonly JsonObject[],
  told: Partial<GenerateRequest> = {},
): GenerateEvent[] {
  const decoded: GenerateEvent[] = []
  const decoder = responsesCodec.decodeEvents(request(told), (event) => decoded.push(event))
  for (const event of events) decoder.decode(event, String(event.type))
  decoder.done?.()
  decoder.end?.()
  return decoded
}

/** The whole reply that an account's events make. */
export function collected(
  events: readonly JsonObject[],
  told: Partial<GenerateRequest> = {},
): GenerateResult | undefined {
  const collector = new Collector()
  for (const event of decodedEvents(events, told)) collector.collect(event)
  return collector.result
}

/** What a whole response of an account means. */
export function decodedResult(reply: JsonObject, told: Partial<GenerateRequest> = {}) {
  return responsesCodec.decodeResult(reply, request(told))
}

/** The response that a client gets for a reply. */
export function encodedResult(result: GenerateResult, body: JsonObject = {}) {
  return responsesCodec.encodeResult(result, context(body))
}
