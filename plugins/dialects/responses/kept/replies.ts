import type { JsonObject } from '../../../../src/codec.ts'
import { GatewayError } from '../../../../src/errors.ts'
import type { Reply } from '../../../../src/exchange.ts'

export function jsonReply(body: JsonObject): Reply {
  const headers = { 'content-type': 'application/json' }
  return { status: 200, headers, body: JSON.stringify(body) }
}

/** The store fails while something that is kept is changed. */
export function cannotTell(kind: string): (cause: unknown) => never {
  return (cause) => {
    throw new GatewayError('lookup_unavailable', `The ${kind} cannot be changed at the moment.`, {
      headers: { 'retry-after-ms': '250' },
      cause,
    })
  }
}
