import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { GatewayError } from '../../../../../src/contract/errors.ts'
import { Collector } from '../../../../../src/generate/collect.ts'
import type { ErrorEvent } from '../../../../../src/generate/events.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import type { GenerateResult } from '../../../../../src/generate/result.ts'
import { objectsIn } from '../../../../../src/lib/json/read.ts'
import { ReplyReader } from './read-reply.ts'

/**
 * Decodes an account's complete reply. It reads the reply as a stream of one chunk, so that streams and
 * complete replies decode alike. Returns an `ErrorEvent` where the reply carries an error. Throws
 * `upstream_invalid_reply` where it is empty, or ends as a success within a call.
 */
export function decodeResult(
  reply: JsonObject,
  request: GenerateRequest,
): GenerateResult | ErrorEvent {
  const collector = new Collector()
  let failure: ErrorEvent | undefined
  const reader = new ReplyReader(
    request,
    (event) => (event.type === 'error' ? (failure = event) : collector.collect(event)),
    false,
  )
  for (const chunk of chunksOf(reply)) reader.decode(chunk)
  reader.end()
  const result = failure ?? collector.result
  if (result) return result
  const fault = reader.isCut ? 'sent a function call without its end' : 'returned an empty response'
  throw new GatewayError('upstream_invalid_reply', `The upstream ${fault}.`)
}

/** Returns the chunks of a reply: some endpoints of Google wrap replies and errors in an array. */
function chunksOf(reply: unknown): JsonObject[] {
  return objectsIn(Array.isArray(reply) ? reply : [reply])
}
