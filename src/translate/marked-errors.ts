import type { EventDecoder } from '../contract/codec.ts'
import type { ErrorEvent } from '../generate/events.ts'
import type { Emit } from '../generate/mapper.ts'
import { errorIn, messageIn, statusOfError } from '../kit/upstream-error.ts'
import { noMessage } from '../kit/reported-failure.ts'
import type { JsonObject } from '../lib/json/object.ts'

/**
 * Has events that the framing marks as errors end a reply, for decoders that know them and for those that do
 * not: of such an event only an `error` counts, and a decoder that emits none gets one of the gateway.
 */
export class MarkedErrors {
  readonly #emit: Emit
  #isMarked = false
  #hasFailed = false

  constructor(emit: Emit) {
    this.#emit = emit
  }

  /** What the decoder emits to. */
  readonly emit: Emit = (event) => {
    if (this.#hasFailed || (this.#isMarked && event.type !== 'error')) return
    this.#hasFailed = event.type === 'error'
    this.#emit(event)
  }

  /** Decodes an event that the framing marks as an error. */
  decode(decoder: EventDecoder, data: JsonObject, name: string): void {
    this.#isMarked = true
    decoder.decode(data, name, true)
    this.emit(unknownError(data))
  }
}

/** The error in an event of a form that the decoder of its dialect does not know. */
export function unknownError(data: JsonObject): ErrorEvent {
  const status = statusOfError(errorIn(data) ?? data)
  return { type: 'error', message: messageIn(data) || noMessage, status }
}
