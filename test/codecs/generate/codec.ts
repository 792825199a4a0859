import { generateCodec } from '../../../plugins/dialects/generate/codec/index.ts'
import type { RawRequest, ReplyContext } from '../../../src/contract/codec.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { Collector } from '../../../src/generate/collect.ts'
import type { GenerateEvent } from '../../../src/generate/events.ts'
import type { Extra } from '../../../src/generate/unsupported.ts'
import type { GenerateRequest, Turn } from '../../../src/generate/request.ts'
import type { GenerateResult } from '../../../src/generate/result.ts'
import { clientFraming } from '../../../src/kit/framing/sse.ts'
import { generateDialect } from '../../../plugins/dialects/generate/index.ts'
import { framesTo } from '../frame-sink.ts'

/** What a client asks for. Without `contents` it says hello. */
export function asked(body: JsonObject = {}, { stream = false, query = '' } = {}): RawRequest {
  const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }]
  return { body: { contents, ...body }, stream, query, headers: {} }
}

/** What a client's request means. */
export function decode(body: JsonObject): GenerateRequest {
  return generateCodec.decodeRequest(asked(body))
}

/** What becomes of what only this dialect has, by the client's name for it. */
export function treatments({ extras }: { extras: readonly Extra[] }): Record<string, string> {
  return Object.fromEntries(extras.map(({ field, treatment }) => [field, treatment]))
}

export const hello: Turn = { role: 'user', content: [{ type: 'text', text: 'Hello' }] }

/** A request in neutral words, of which only what is told matters. */
export function neutral(told: Partial<GenerateRequest> = {}): GenerateRequest {
  return {
    stream: false,
    turns: [hello],
    tools: [],
    sampling: {},
    fields: {},
    extras: [],
    ...told,
  }
}

/** What an account is sent for a request. */
export function encode(told: Partial<GenerateRequest>, model = 'gemini-3-flash'): JsonObject {
  return generateCodec.encodeRequest(neutral(told), model, () => {}).body
}

/** What an account is sent for a conversation. */
export function contentsOf(turns: readonly Turn[], model?: string): unknown {
  return encode({ turns }, model).contents
}

/** What an account's reply means. */
export function read(reply: unknown, told: Partial<GenerateRequest> = {}) {
  return generateCodec.decodeResult(reply as JsonObject, neutral(told))
}

/** What the chunks of an account's stream mean, event by event. */
export function readEvents(
  chunks: readonly JsonObject[],
  told: Partial<GenerateRequest> = {},
): GenerateEvent[] {
  const events: GenerateEvent[] = []
  const decoder = generateCodec.decodeEvents(neutral(told), (event) => events.push(event))
  for (const chunk of chunks) decoder.decode(chunk, '')
  decoder.end?.()
  return events
}

/** The reply that the events of a stream make; undefined where it did not come to its end. */
export function collect(events: readonly GenerateEvent[]): GenerateResult | undefined {
  const collector = new Collector()
  for (const event of events) collector.collect(event)
  return collector.result
}

export interface TestContext extends ReplyContext {
  readonly dropped: string[]
}

/** What a reply is written with. */
export function context(
  body: JsonObject = {},
  { query = 'alt=sse', request = neutral() } = {},
): TestContext {
  const dropped: string[] = []
  let ids = 0
  return {
    rawRequest: asked(body, { stream: true, query }),
    request,
    requestId: 'req_of_exchange',
    model: 'house/large',
    now: 1_700_000_000_000,
    framing: clientFraming(generateDialect, { query, headers: {} }),
    newId: (prefix) => prefix + String(++ids).padStart(24, '0'),
    drop: (field) => void dropped.push(field),
    dropped,
  }
}

/** The frames of a stream for a client. */
export function write(events: readonly GenerateEvent[], within = context()): string {
  let frames = ''
  const encoder = generateCodec.encodeEvents(
    within,
    framesTo((more) => (frames += more)),
  )
  for (const event of events) if (event.type !== 'error') encoder.encode(event)
  return frames
}

export interface Chunk extends JsonObject {
  readonly candidates: readonly {
    readonly content: { readonly parts: readonly JsonObject[] }
    readonly finishReason?: string
  }[]
}

/** The chunks in the frames of a stream. */
export function chunksIn(frames: string): Chunk[] {
  return frames
    .split('\n\n')
    .filter((frame) => frame !== '')
    .map((frame) => JSON.parse(frame.slice('data: '.length)) as Chunk)
}

/** The parts that the first candidate of a stream has, chunk by chunk. */
export function partsIn(frames: string): JsonObject[] {
  return chunksIn(frames).flatMap(({ candidates }) => candidates[0]?.content.parts ?? [])
}
