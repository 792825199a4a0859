import type { Candidate } from '../contract/candidate.ts'
import type { EventDecoder, EventEncoder, Completeness } from '../contract/codec.ts'
import type { Observation, Observer } from '../contract/observer.ts'
import type { TranslationServices } from '../contract/services.ts'
import type { Usage } from '../contract/outcome.ts'
import { GatewayError } from '../contract/errors.ts'
import type { ErrorEvent, FinishEvent, GenerateEvent } from '../generate/events.ts'
import { type Emit, throughMappers } from '../generate/mapper.ts'
import type { GenerateUsage, StopReason } from '../generate/result.ts'
import type { FramedEvent, Framing } from '../contract/framing.ts'
import { accountFraming } from '../kit/framing/choose.ts'
import { sse } from '../kit/framing/sse.ts'
import { endedEarly, failedObservation } from '../kit/broken-stream.ts'
import { type LargeEvent, type LargeEvents, readLargeEvents } from '../kit/large-events.ts'
import { tooMuchReply } from '../kit/too-deep.ts'
import { errorIn } from '../kit/upstream-error.ts'
import { reportedUsage } from '../kit/usage.ts'
import type { JsonObject } from '../lib/json/object.ts'
import { nextTurn } from '../lib/turns.ts'
import { WaitingMappers } from '../generate/waiting-mappers.ts'
import { FastPath, FrameWriter } from './fast-path/index.ts'
import { type FrameOutput, JoinedOutput } from './frame-output.ts'
import { MarkedErrors } from './marked-errors.ts'
import { PacedEvents } from './paced-events.ts'
import { objectOf, parseData, readEvents } from './read-events.ts'
import { storeReply } from './persist-reply.ts'
import { failureOutcome, translatedOutcome } from './outcome.ts'
import { RefusalFilter } from './refusal-filter.ts'
import { ReplySize } from './reply-size.ts'
import { type Translation, nameModel } from './translation.ts'

const nothing = Buffer.alloc(0)

/** Translates the stream of an account for a client of another dialect, event by event. */
export class TranslatingObserver implements Observer {
  readonly contentType: string
  readonly #translation: Translation
  readonly #upstream: Pick<Candidate, 'account' | 'dialect'>
  /** How the account's stream is framed. */
  readonly #framing: Framing
  /** Whether the frame that ends the stream has been read, where the framing has one. */
  #isEnded: boolean
  readonly #decoder: EventDecoder
  readonly #marked: MarkedErrors
  readonly #encoder: EventEncoder
  readonly #fastPath: FastPath | undefined
  readonly #stops: StopReason[] = []
  #model: string | undefined
  /** The client's frames for the account's frames that are being read. */
  readonly #output: FrameOutput
  #hasOutput = false
  readonly #refusals: RefusalFilter
  #usage: GenerateUsage | undefined
  /** The account's counts, which a mapper may not let pass. */
  #counted: GenerateUsage | undefined
  #error: ErrorEvent | undefined
  /** The account's event that became the error. */
  #reported: JsonObject | undefined
  readonly #paced: PacedEvents
  /** Present if a mapper waits, at some events at least. */
  readonly #waiting: WaitingMappers | undefined
  #hasEnded = false
  /** The large events of the frames that are read next. */
  #large: LargeEvents | undefined
  readonly #size: ReplySize
  /** The end of the reply, until no mapper waits any more: it may still fail. */
  #finish: FinishEvent | undefined
  /** What ended the reading of the account's frames, until the events before it have passed. */
  #fault: { readonly error: unknown } | undefined

  /** With `fastPath: false` every frame is parsed, decoded and encoded; the client gets the same bytes. */
  constructor(
    translation: Translation,
    upstream: Pick<Candidate, 'account' | 'dialect'>,
    { fastPath = true, replyBytes = Infinity }: Partial<TranslationServices> = {},
  ) {
    const { account, client, context, mappers, request, signatures } = translation
    this.#translation = translation
    this.#upstream = upstream
    this.#framing = accountFraming(upstream.dialect)
    this.#isEnded = !this.#framing.hasEnd
    this.#refusals = new RefusalFilter(upstream.account)
    const writer = fastPath ? new FrameWriter() : undefined
    this.#output = writer ?? new JoinedOutput()
    this.#encoder = client.codec.encodeEvents(context, this.#output)
    this.#size = new ReplySize(replyBytes, this.#encoder.weights)
    const last: Emit = (event) => {
      if (event.type === 'finish' && this.#waiting) this.#finish = event
      else this.#write(event)
    }
    const hasWaiting = mappers.some(({ waits }) => waits)
    this.#waiting = hasWaiting ? new WaitingMappers(mappers, last) : undefined
    const write = this.#waiting
      ? (event: GenerateEvent) => this.#waiting?.push(event)
      : throughMappers(mappers, last)
    const next: Emit = signatures
      ? (event) => {
          signatures.push(event)
          write(event)
        }
      : write
    this.#paced = new PacedEvents(next, () => !this.#output.isMuted)
    const emit: Emit = (event) => {
      if (!this.#marked.lets(event)) return
      // The fast path emits the texts that it has copied as well, joined.
      this.#size.add(event)
      if (event.type === 'finish') this.#counted = event.usage
      this.#paced.push(event)
    }
    this.#marked = new MarkedErrors(upstream.dialect, emit)
    this.#decoder = account.decodeEvents(request, emit)
    // Mappers get every event, so that no text may bypass the encoder.
    const direct = mappers.length === 0 ? writer : undefined
    const { fast } = this.#decoder
    const canRepeat = this.#framing === sse && account.fast && fast
    this.#fastPath = writer && canRepeat ? new FastPath(account.fast, fast, direct) : undefined
    this.contentType = this.#encoder.contentType ?? context.framing.contentType
  }

  async prepare(frames: Buffer, signal: AbortSignal): Promise<void> {
    const { keyId } = this.#translation
    this.#large = await readLargeEvents(frames, this.#framing, { keyId, signal })
  }

  observe(frames: Buffer): Observation {
    const large = this.#large
    this.#large = undefined
    this.#paced.beginTurn()
    try {
      readEvents(frames, this, this.#framing, large)
    } catch (error) {
      this.#fault ??= { error }
    }
    return this.#observed()
  }

  get usage(): Usage | undefined {
    return reportedUsage(this.#usage ?? this.#counted ?? this.#decoder.usage)
  }

  get isOver(): boolean {
    return this.#marked.isOver || this.#isConcluded
  }

  /** Whether the end of the reply, or its failure, has passed all that waits. */
  get #isConcluded(): boolean {
    return (this.#usage ?? this.#finish ?? this.#error) !== undefined
  }

  get size(): number {
    return this.#size.bytes
  }

  get completeness(): Completeness | undefined {
    return this.#decoder.completeness
  }

  readKnown(frames: Buffer, at: number): number {
    const fastPath = this.#fastPath
    if (!fastPath) return at
    const end = fastPath.find(frames, at)
    if (end !== at && !this.isOver) fastPath.translate(frames)
    return end
  }

  data(data: string, name: string, frame: string, isError = false): void {
    const event = parseData(data)
    this.#decode(event, { name, data, isError })
    this.#fastPath?.learn(frame, event)
  }

  large({ json, ...framed }: LargeEvent): void {
    this.#decode(objectOf(json), framed)
  }

  #decode(
    event: JsonObject,
    { name, data, isError = false }: FramedEvent & { data: string },
  ): void {
    this.#fastPath?.flush()
    const { bytes } = this.#size
    this.#marked.decode(this.#decoder, event, name, isError)
    if (this.#marked.isOver) this.#reported ??= event
    this.#size.addEvent(data.length, bytes)
  }

  done(): void {
    this.#fastPath?.flush()
    this.#decoder.done?.()
  }

  ended(): void {
    this.#isEnded = true
  }

  end(): Observation {
    this.#paced.beginTurn()
    try {
      this.#fastPath?.flush()
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
    await nextTurn()
    this.#paced.advance()
  }

  cancel(): void {
    this.#paced.clear()
    this.#waiting?.cancel()
  }

  fail(error: GatewayError): { bytes: Buffer; ending: 'end' | 'reset' } {
    this.#fastPath?.flushText()
    this.#output.discard()
    const ending = this.#encoder.fail(error)
    return { bytes: this.#output.take(), ending }
  }

  keepAlive(): Buffer {
    const { framing } = this.#translation.context
    return Buffer.from(this.#encoder.keepAlive?.() ?? framing.keepAlive ?? '')
  }

  #write(event: GenerateEvent): void {
    if (event.type === 'error') {
      this.#error ??= event
      return
    }
    if (event.type === 'start') this.#start(event.model)
    else if (event.type === 'stop') this.#stops.push(event.stop.reason)
    else if (event.type === 'finish') this.#usage = event.usage
    else if (isOutput(event)) this.#hasOutput = true
    this.#encoder.encode(this.#refusals.clean(event))
  }

  #start(model: string | undefined): void {
    this.#model = model
    nameModel(this.#translation, model)
  }

  #broken(error: unknown): Observation {
    this.#paced.clear()
    return { ...failedObservation(asGatewayError(error)), bytes: this.#output.take() }
  }

  #observed(): Observation {
    const output = this.#output
    if (this.#fault && !this.isWaiting) return this.#broken(this.#fault.error)
    if (this.#finish && !this.isWaiting) {
      this.#write(this.#finish)
      this.#finish = undefined
    }
    if (this.#hasOutput && !this.#isConcluded && !output.isEmpty) {
      return { phase: 'output', chunk: output.takeChunk() }
    }
    // The last frames wait for the end of the account's stream.
    if (this.#usage && !this.#isEnded) return { phase: 'start', bytes: nothing }
    const bytes = this.#output.take()
    if (this.#error) {
      const failure = failureOutcome(this.#error, this.#upstream, errorOf(this.#reported))
      return { phase: 'failed', bytes, ...failure }
    }
    if (this.#usage) return { phase: 'terminal', bytes, outcome: this.#outcome(this.#usage) }
    return { phase: this.#hasOutput ? 'output' : 'start', bytes }
  }

  #outcome(usage: GenerateUsage) {
    const { events, id, items, reply } = this.#encoder
    const stored = storeReply(this.#translation, reply, events)
    const kind = this.#translation.client.produces
    return translatedOutcome(this.#stops, usage, { kind, id, model: this.#model, items, stored })
  }
}

/** Whether the client waits for this event. Reasoning texts count, because clients show them at once. */
function isOutput(event: GenerateEvent): boolean {
  if (event.type === 'delta') return true
  return event.type === 'part' && event.part.type !== 'text' && event.part.type !== 'reasoning'
}

/** The error object of an account's event: Responses also have it inside a failed response. */
function errorOf(event: JsonObject = {}): JsonObject {
  return errorIn(event) ?? errorIn(event.response) ?? event
}

function asGatewayError(error: unknown): GatewayError {
  if (GatewayError.isInstance(error)) return error
  const tooDeep = tooMuchReply(error)
  if (tooDeep) return tooDeep
  return new GatewayError('internal_error', 'The gateway failed to translate the reply.', {
    cause: error,
  })
}
