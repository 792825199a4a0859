import type { Candidate } from '../contract/candidate.ts'
import type { Completeness, EventDecoder, EventEncoder, FrameSink } from '../contract/codec.ts'
import type { Observation, Observer } from '../contract/observer.ts'
import type { TranslationServices } from '../contract/services.ts'
import type { Usage } from '../contract/outcome.ts'
import { GatewayError } from '../contract/errors.ts'
import type { FinishEvent } from '../generate/events.ts'
import { type Emit, throughMappers } from '../generate/mapper.ts'
import type { GenerateUsage } from '../generate/result.ts'
import type { FramedEvent, Framing } from '../contract/framing.ts'
import { accountFraming } from '../kit/framing/sse.ts'
import { endedEarly } from '../kit/broken-stream.ts'
import { tokensOfText } from '../kit/estimate.ts'
import { tooMuchReply } from '../kit/too-deep.ts'
import { reportedUsage } from '../kit/usage.ts'
import type { JsonObject } from '../lib/json/object.ts'
import { nextTurn } from '../lib/turns.ts'
import { WaitingMappers } from '../generate/waiting-mappers.ts'
import { EncodedReply } from './encoded-reply.ts'
import { MarkedErrors } from './marked-errors.ts'
import { PacedEvents } from './paced-events.ts'
import { parseData, readEvents } from './read-events.ts'
import { ReplySize } from './reply-size.ts'
import type { Translation } from './translation.ts'

/** What reads and writes the events in place of the codecs of the account and the client. */
export interface Codecs {
  decodeEvents?(emit: Emit): EventDecoder
  encodeEvents?(sink: FrameSink): EventEncoder
}

/**
 * Translates the stream of an account for a client of another dialect, event by event. An event takes the steps
 * `#receive`, `#pass` and `#write`.
 */
export class TranslatingObserver implements Observer {
  readonly contentType: string
  readonly #translation: Translation
  /** How the account's stream is framed. */
  readonly #framing: Framing
  /** Whether the frame that ends the stream has been read, where the framing has one. */
  #isEnded: boolean
  readonly #decoder: EventDecoder
  readonly #marked: MarkedErrors
  readonly #reply: EncodedReply
  /** The account's counts, which a mapper may not let pass. */
  #counted: GenerateUsage | undefined
  /** The account's event that became the error. */
  #reported: JsonObject | undefined
  readonly #paced: PacedEvents
  /** The mappers, which lead to `#write`. */
  readonly #map: Emit
  /** Present if a mapper waits, at some events at least. */
  readonly #waiting: WaitingMappers | undefined
  #hasEnded = false
  readonly #size: ReplySize
  /** The bytes of the account's texts. */
  #textBytes = 0
  /** The end of the reply, until no mapper waits any more: it may still fail. */
  #finish: FinishEvent | undefined
  /** What ended the reading of the account's frames, until the events before it have passed. */
  #fault: { readonly error: unknown } | undefined

  constructor(
    translation: Translation,
    upstream: Pick<Candidate, 'account' | 'dialect'>,
    { replyBytes = Infinity }: Partial<TranslationServices> = {},
    codecs: Codecs = {},
  ) {
    const { account, context, mappers, request } = translation
    this.#translation = translation
    this.#framing = accountFraming(upstream.dialect)
    this.#isEnded = !this.#framing.hasEnd
    this.#reply = new EncodedReply(translation, upstream, codecs.encodeEvents)
    const { encoder } = this.#reply
    this.#size = new ReplySize(replyBytes, encoder.weights)
    const hasWaiting = mappers.some(({ waits }) => waits)
    this.#waiting = hasWaiting ? new WaitingMappers(mappers, this.#write) : undefined
    this.#map = this.#waiting
      ? (event) => this.#waiting?.push(event)
      : throughMappers(mappers, this.#write)
    this.#paced = new PacedEvents(this.#pass)
    this.#marked = new MarkedErrors(upstream.dialect, this.#receive)
    this.#decoder =
      codecs.decodeEvents?.(this.#receive) ?? account.decodeEvents(request, this.#receive)
    this.contentType = encoder.contentType ?? context.framing.contentType
  }

  /** Step 1: an event of the account's decoder counts, unless the reply has ended, and waits if it is too much work. */
  readonly #receive: Emit = (event) => {
    if (!this.#marked.lets(event)) return
    this.#size.add(event)
    if (event.type === 'finish') this.#counted = event.usage
    else if (event.type === 'delta') this.#textBytes += Buffer.byteLength(event.text)
    this.#paced.push(event)
  }

  /** Step 2: its signature is kept, for a client that has no field for one; plugins and emulations change it. */
  readonly #pass: Emit = (event) => {
    this.#translation.signatures?.push(event)
    this.#map(event)
  }

  /** Step 3: the client's encoder writes it. The end waits for the mappers. */
  readonly #write: Emit = (event) => {
    if (event.type === 'finish' && this.#waiting) this.#finish = event
    else this.#reply.write(event)
  }

  observe(frames: Buffer): Observation {
    this.#paced.beginTurn()
    try {
      readEvents(frames, this, this.#framing)
    } catch (error) {
      this.#fault ??= { error }
    }
    return this.#observed()
  }

  /** Reads a whole reply as the only event of the stream, for `end` to observe. Throws what it cannot read. */
  whole(reply: JsonObject): void {
    this.#paced.beginTurn()
    this.#decode(reply, { name: '', data: '' })
  }

  get outputTokens(): number {
    return tokensOfText(this.#textBytes)
  }

  get usage(): Usage | undefined {
    return reportedUsage(this.#reply.usage ?? this.#counted ?? this.#decoder.usage)
  }

  get isOver(): boolean {
    return this.#marked.isOver || this.#isConcluded
  }

  /** Whether the end of the reply, or its failure, has passed all that waits. */
  get #isConcluded(): boolean {
    return this.#finish !== undefined || this.#reply.isConcluded
  }

  get size(): number {
    return this.#size.bytes
  }

  get completeness(): Completeness | undefined {
    return this.#decoder.completeness
  }

  data(data: string, name: string, isError = false): void {
    this.#decode(parseData(data), { name, data, isError })
  }

  #decode(
    event: JsonObject,
    { name, data, isError = false }: FramedEvent & { data: string },
  ): void {
    const { bytes } = this.#size
    this.#marked.decode(this.#decoder, event, name, isError)
    if (this.#marked.isOver) this.#reported ??= event
    this.#size.addEvent(data.length, bytes)
  }

  done(): void {
    this.#decoder.done?.()
  }

  ended(): void {
    this.#isEnded = true
  }

  end(): Observation {
    this.#paced.beginTurn()
    try {
      // What waits has the end come twice.
      if (!this.#hasEnded) this.#decoder.end?.()
      this.#hasEnded = true
    } catch (error) {
      this.#fault ??= { error }
    }
    const isKnown = this.#isConcluded || this.#fault || this.isWaiting
    return isKnown ? this.#observed() : endedEarly()
  }

  get isWaiting(): boolean {
    return !this.#paced.isEmpty || this.#waiting?.step !== undefined
  }

  later(): Promise<Observation> | undefined {
    if (!this.isWaiting) return undefined
    return this.#advance()
      .then(() => this.#observed())
      .catch((error: unknown) => this.#broken(error))
  }

  /** More events pass once a plugin has one, or in another turn of the event loop. */
  async #advance(): Promise<void> {
    const { step } = this.#waiting ?? {}
    if (step) return step
    await nextTurn(this.#translation.keyId)
    this.#paced.advance()
  }

  cancel(): void {
    this.#paced.clear()
    this.#waiting?.cancel()
  }

  fail(error: GatewayError): { bytes: Buffer; ending: 'end' | 'reset' } {
    return this.#reply.fail(error)
  }

  keepAlive(): Buffer {
    const { framing } = this.#translation.context
    return Buffer.from(this.#reply.encoder.keepAlive?.() ?? framing.keepAlive ?? '')
  }

  #broken(error: unknown): Observation {
    this.#paced.clear()
    return this.#reply.broken(asGatewayError(error))
  }

  #observed(): Observation {
    if (this.#fault && !this.isWaiting) return this.#broken(this.#fault.error)
    if (this.#finish && !this.isWaiting) {
      this.#reply.write(this.#finish)
      this.#finish = undefined
    }
    return this.#reply.observed({
      mayFollow: !this.#isConcluded,
      isEnded: this.#isEnded,
      reported: this.#reported,
    })
  }
}

function asGatewayError(error: unknown): GatewayError {
  if (GatewayError.isInstance(error)) return error
  const tooDeep = tooMuchReply(error)
  if (tooDeep) return tooDeep
  return new GatewayError('internal_error', 'The gateway failed to translate the reply.', {
    cause: error,
  })
}
