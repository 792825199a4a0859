import { chatCodec } from '../../../plugins/dialects/chat/codec/index.ts'
import type { RawRequest, ReplyContext } from '../../../src/contract/codec.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import type { GenerateRequest } from '../../../src/generate/request.ts'
import { sse } from '../../../src/kit/framing/sse.ts'

/** What a client of chat completions sends. */
export function asked(body: JsonObject): RawRequest {
  const whole = { model: 'm', messages: [{ role: 'user', content: 'Hello' }], ...body }
  return { body: whole, stream: body.stream === true, query: '', headers: {} }
}

/** The same in the neutral model. */
export function decoded(body: JsonObject): GenerateRequest {
  return chatCodec.decodeRequest(asked(body))
}

/** What the gateway has to ask an account. */
export function neutral(request: Partial<GenerateRequest> = {}): GenerateRequest {
  return {
    stream: false,
    turns: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
    tools: [],
    sampling: {},
    fields: {},
    extras: [],
    ...request,
  }
}

/** What an account is sent. */
export function encoded(request: Partial<GenerateRequest>): JsonObject {
  return chatCodec.encodeRequest(neutral(request), 'upstream-model', () => {}).body
}

export interface Dropped {
  readonly field: string
  readonly reason: string
}

/** The context of a reply to a client's request, with what was dropped from the reply. */
export function contextFor(body: JsonObject = {}): ReplyContext & { readonly dropped: Dropped[] } {
  const dropped: Dropped[] = []
  let ids = 0
  return {
    rawRequest: asked(body),
    request: decoded(body),
    requestId: 'req_of_exchange',
    model: 'm',
    now: 1_700_000_000_123,
    framing: sse,
    newId: (prefix) => prefix + String(++ids).padStart(24, '0'),
    drop: (field, reason) => void dropped.push({ field, reason }),
    dropped,
  }
}
