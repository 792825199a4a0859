import { chatCodec } from '../../../plugins/dialects/chat/codec/index.ts'
import { generateCodec } from '../../../plugins/dialects/generate/codec/index.ts'
import { messagesCodec } from '../../../plugins/dialects/messages/codec/index.ts'
import { responsesCodec } from '../../../plugins/dialects/responses/codec/index.ts'
import type { RecordLoss, GenerateCodec } from '../../../src/contract/codec.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import type { GenerateRequest } from '../../../src/generate/request.ts'

export const names = ['chat', 'generate', 'messages', 'responses'] as const

export type Name = (typeof names)[number]

export const codecs: Readonly<Record<Name, GenerateCodec>> = {
  chat: chatCodec,
  generate: generateCodec,
  messages: messagesCodec,
  responses: responsesCodec,
}

/** What says no more than a greeting. */
const greetings: Readonly<Record<Name, JsonObject>> = {
  chat: { messages: [{ role: 'user', content: 'Hello' }] },
  generate: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
  messages: { messages: [{ role: 'user', content: 'Hello' }] },
  responses: { input: 'Hello' },
}

/** What a client's body means. */
export function decode(client: Name, body: JsonObject): GenerateRequest {
  const whole = { model: 'm', ...greetings[client], ...body }
  return codecs[client].decodeRequest({ body: whole, stream: false, query: '', headers: {} })
}

/** What an account is sent for a request. */
export function encode(
  account: Name,
  request: GenerateRequest,
  drop: RecordLoss = () => {},
): JsonObject {
  return codecs[account].encodeRequest(request, 'm', drop).body
}
