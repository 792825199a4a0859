import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { GatewayError } from '../../../../../src/contract/errors.ts'
import { Collector } from '../../../../../src/generate/collect.ts'
import type { ErrorEvent, GenerateEvent } from '../../../../../src/generate/events.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import type { GenerateResult } from '../../../../../src/generate/result.ts'
import { objectsIn, objectAt } from '../../../../../src/lib/json/read.ts'
import { failureIn } from './failure.ts'
import { ReplyReader } from './reply-reader.ts'

/**
 * Decodes an account's complete reply. It reads the reply as a stream of one chunk, so that streams and
 * complete replies decode alike. Returns an `ErrorEvent` where the reply carries an error. Throws
 * `upstream_invalid_reply` where it has no message.
 */
export function decodeResult(
  reply: JsonObject,
  request: GenerateRequest,
  thinksInText = false,
): GenerateResult | ErrorEvent {
  const failure = failureIn(reply)
  if (failure) return failure
  if (!objectsIn(reply.choices).some((choice) => objectAt(choice, 'message'))) throw invalid()
  const events = new ResultCollector()
  const reader = new ReplyReader(request, (event) => events.collect(event), thinksInText)
  reader.read(reply)
  if (!reader.isOver) reader.finish()
  return events.result()
}

class ResultCollector {
  readonly #collector = new Collector()
  #failure: ErrorEvent | undefined

  collect(event: GenerateEvent): void {
    if (event.type === 'error') this.#failure = event
    else this.#collector.collect(event)
  }

  result(): GenerateResult | ErrorEvent {
    const { result } = this.#collector
    if (this.#failure) return this.#failure
    if (!result || result.choices.length === 0) throw invalid()
    return result
  }
}

function invalid(): GatewayError {
  return new GatewayError('upstream_invalid_reply', "The upstream's reply has no message.")
}
