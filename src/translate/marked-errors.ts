import type { EventDecoder } from '../contract/codec.ts'
import type { AccountDialect } from '../contract/dialect-info.ts'
import type { GenerateEvent } from '../generate/events.ts'
import type { Emit } from '../generate/mapper.ts'
import { failureOf } from '../kit/codec/failure.ts'
import { errorIn, statusAt } from '../kit/upstream-error.ts'
import type { JsonObject } from '../lib/json/object.ts'

/**
 * Has events that the framing or their form marks as errors end a reply, for decoders that know them and for those
 * that do not: of such an event only an `error` counts, and a decoder that emits none gets one of the gateway.
 */
export class MarkedErrors {
  readonly #dialect: AccountDialect
  readonly #emit: Emit
  #isMarked = false
  #isOver = false

  /** `emit` asks `lets` of each event. */
  constructor(dialect: AccountDialect, emit: Emit) {
    this.#dialect = dialect
    this.#emit = emit
  }

  /** Whether the end of the reply, or an error, has been read. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Whether an event of the decoder counts. */
  lets({ type }: GenerateEvent): boolean {
    if (this.#isOver || (this.#isMarked && type !== 'error')) return false
    this.#isOver = type === 'error' || type === 'finish'
    return true
  }

  /** Decodes an event of the account. */
  decode(decoder: EventDecoder, event: JsonObject, name: string, isError: boolean): void {
    const error = errorIn(event, isError ? 'error' : name)
    this.#isMarked = error !== undefined
    decoder.decode(event, name, isError)
    if (error) this.#emit(failureOf(error, statusAt(error, this.#dialect)))
  }
}
