import { GatewayError } from '../../../src/contract/errors.ts'
import type { TurnsInBody } from '../../../src/contract/operation.ts'
import type { GenerateRequest } from '../../../src/generate/request.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { encodePart } from './codec/encode-request/encode-items.ts'
import { responsesCodec } from './codec/index.ts'

/** Reads the `items` of a conversation as the input of a response. Throws `GatewayError`. */
export function decodeConversationItems(items: unknown): GenerateRequest {
  const body = { input: items ?? [] }
  try {
    const read = responsesCodec.decodeRequest({ body, stream: false, query: '', headers: {} })
    const extras = read.extras.map((extra) => ({ ...extra, field: nameInItems(extra.field) }))
    return { ...read, extras }
  } catch (error) {
    throw GatewayError.isInstance(error) ? inItems(error) : error
  }
}

/** The turns of the bodies that add items to a conversation. */
export const conversationTurns: TurnsInBody = {
  decode: ({ items }: JsonObject) => decodeConversationItems(items),
  encode: (turns) => ({ items: encodePart(turns) }),
}

/** The codec read the items as `input`, and its errors name them so. */
function inItems({ code, message, param = '' }: GatewayError): GatewayError {
  const field = nameInItems(param)
  return new GatewayError(code, message.replace(param, field), { param: field })
}

function nameInItems(field: string): string {
  return field.replace(/^input/, 'items')
}
