import { messagesCodec } from '../../../plugins/dialects/messages/codec/index.ts'
import type { RawRequest, EncodedRequest, ReplyContext } from '../../../src/contract/codec.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import type { AssistantPart } from '../../../src/generate/content.ts'
import { Collector } from '../../../src/generate/collect.ts'
import type { ErrorEvent, GenerateEvent } from '../../../src/generate/events.ts'
import type { GenerateRequest } from '../../../src/generate/request.ts'
import type { GenerateResult } from '../../../src/generate/result.ts'
import { sse } from '../../../src/kit/framing/sse.ts'
import { framesTo } from '../frame-sink.ts'

/** A client's body, with what is required of it. */
export function asked(body: JsonObject): RawRequest {
  return {
    body: { model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }], ...body },
    stream: body.stream === true,
    query: '',
    headers: {},
  }
}

/** What a client's request means. */
export function read(body: JsonObject): GenerateRequest {
  return messagesCodec.decodeRequest(asked(body))
}

/** A request of any client, who says "hi" unless told otherwise. */
export function neutral(request: Partial<GenerateRequest> = {}): GenerateRequest {
  return {
    stream: false,
    turns: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    tools: [],
    sampling: {},
    fields: {},
    extras: [],
    ...request,
  }
}

export interface Body extends JsonObject {
  readonly messages: readonly { readonly role: string; readonly content: readonly JsonObject[] }[]
}

/** What an account is asked. */
export function write(request: Partial<GenerateRequest>, model = 'claude-sonnet-4-5'): Body {
  return encode(request, model).body as Body
}

export function encode(request: Partial<GenerateRequest>, model: string): EncodedRequest {
  return messagesCodec.encodeRequest(neutral(request), model, () => {})
}

export interface TestContext extends ReplyContext {
  readonly dropped: string[]
}

export function replyContext(): TestContext {
  const dropped: string[] = []
  let ids = 0
  return {
    rawRequest: asked({}),
    request: neutral(),
    requestId: 'req_of_exchange',
    model: 'claude-for-you',
    now: 1_700_000_000_000,
    framing: sse,
    newId: (prefix) => `${prefix}${String(++ids).padStart(24, '0')}`,
    drop: (field) => void dropped.push(field),
    dropped,
  }
}

/** The events that an account's stream means. */
export function decodeStream(
  frames: readonly JsonObject[],
  request = neutral(),
): readonly GenerateEvent[] {
  const events: GenerateEvent[] = []
  const decoder = messagesCodec.decodeEvents(request, (event) => events.push(event))
  for (const frame of frames) decoder.decode(frame, String(frame.type))
  decoder.end?.()
  return events
}

/** The whole reply that a stream makes. */
export function collect(events: readonly GenerateEvent[]): GenerateResult | undefined {
  const collector = new Collector()
  for (const event of events) collector.collect(event)
  return collector.result
}

/** What a client's stream consists of. */
export function encodeStream(events: readonly GenerateEvent[], context = replyContext()): string {
  let written = ''
  const encoder = messagesCodec.encodeEvents(
    context,
    framesTo((frames) => (written += frames)),
  )
  for (const event of events) if (event.type !== 'error') encoder.encode(event)
  return written
}

/** What a frame may hold; the members of a block or a delta are texts, as far as tests look. */
export interface Frame extends JsonObject {
  readonly type: string
  readonly index: number
  readonly content_block?: Readonly<Record<string, string>>
  readonly delta?: Readonly<Record<string, string>>
}

/** The data of a stream's frames, each of which names its type twice. */
export function framesOf(stream: string): Frame[] {
  return stream
    .split('\n\n')
    .filter((frame) => frame !== '')
    .map((frame) => {
      const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(frame) ?? []
      const json = JSON.parse(data ?? 'null') as Frame | null
      if (!json || json.type !== name) throw new Error(`This is no event: ${frame}`)
      return json
    })
}

/** A whole reply that an account sent. Throws where it tells of an error. */
export function readReply(reply: JsonObject, request = neutral()): GenerateResult {
  const result = messagesCodec.decodeResult(reply, request)
  if (isError(result)) throw new Error(result.message)
  return result
}

export function isError(result: GenerateResult | ErrorEvent): result is ErrorEvent {
  return 'type' in result
}

/** A reply with this content that ended as it should. */
export function answer(...content: AssistantPart[]): GenerateResult {
  const calls = content.some(({ type }) => type === 'tool_call')
  return {
    choices: [{ content, stop: { reason: calls ? 'tool_calls' : 'stop' } }],
    usage: { inputTokens: 10, outputTokens: 5 },
  }
}
