import type { Account } from '../contract/account.ts'
import type { EventDecoder, EventEncoder, Completeness } from '../contract/codec.ts'
import type { Observation, Observer } from '../contract/observer.ts'
import { GatewayError } from '../contract/errors.ts'
import type { ErrorEvent, GenerateEvent } from '../generate/events.ts'
import { type Emit, throughMappers } from '../generate/mapper.ts'
import type { GenerateUsage, StopReason } from '../generate/result.ts'
import { endedEarly, failedObservation } from '../kit/observe.ts'
import { parseData, readEvents } from './read-events.ts'
import { FrameBytes } from './fast-path/frame-bytes.ts'
import { storeReply } from './persist-reply.ts'
import { failureOutcome, translatedOutcome } from './outcome.ts'
import { RepeatedFrames } from './fast-path/repeated.ts'
import { Shortcut } from './fast-path/shortcut.ts'
import { textOf } from './fast-path/short-text.ts'
import type { Translation } from './translation.ts'

/** Turns the stream of an account into that of a client of another dialect, event by event. */
export class TranslatingObserver implements Observer {
  readonly contentType: string
  readonly #translation: Translation
  readonly #upstream: Account
  readonly #decoder: EventDecoder
  readonly #encoder: EventEncoder
  /** Absent where the account's codec cannot repeat a text: every frame is parsed. */
  readonly #repeated: RepeatedFrames | undefined
  /** A plugin must be told of every event. */
  readonly #shortcut: Shortcut | undefined
  readonly #stops: StopReason[] = []
  #model: string | undefined
  /** What the client gets for the frames that are being read. */
  readonly #written = new FrameBytes()
  #hasOutput = false
  #usage: GenerateUsage | undefined
  #told: ErrorEvent | undefined

  constructor(translation: Translation, upstream: Account) {
    const { account, client, context, mappers, request, signatures } = translation
    this.#translation = translation
    this.#upstream = upstream
    this.#encoder = client.codec.encodeEvents(context, this.#written)
    const write = throughMappers(mappers, (event) => this.#write(event))
    const emit: Emit = signatures
      ? (event) => {
          signatures.push(event)
          write(event)
        }
      : write
    this.#decoder = account.decodeEvents(request, emit)
    const canRepeat = account.textDelta && this.#decoder.repeat
    if (canRepeat) this.#repeated = new RepeatedFrames(account)
    if (canRepeat && mappers.length === 0) {
      this.#shortcut = new Shortcut(this.#written, (text) => this.#decoder.repeat?.(text))
    }
    this.contentType = this.#encoder.contentType
  }

  observe(frames: Buffer): Observation {
    try {
      readEvents(frames, this)
    } catch (error) {
      return this.#broken(error)
    }
    return this.#observed()
  }

  get isOver(): boolean {
    return this.#usage !== undefined || this.#told !== undefined
  }

  get completeness(): Completeness | undefined {
    return this.#decoder.completeness
  }

  readKnown(frames: Buffer, at: number): number {
    const repeated = this.#repeated
    if (!repeated) return at
    const shortcut = this.#shortcut
    const behind = repeated.find(frames, at, shortcut)
    if (behind === at || this.isOver) return behind
    const { start, end } = repeated
    if (shortcut) shortcut.again(frames, start, end)
    else this.#decoder.repeat?.(textOf(frames, start, end))
    return behind
  }

  data(data: string, name: string, frame: string): void {
    const event = parseData(data)
    this.#leave()
    this.#decoder.decode(event, name)
    this.#repeated?.learn(frame, event)
  }

  done(): void {
    this.#leave()
    this.#decoder.done()
  }

  end(): Observation {
    try {
      this.#leave()
      this.#decoder.end()
    } catch (error) {
      return this.#broken(error)
    }
    return this.#usage || this.#told ? this.#observed() : endedEarly()
  }

  /** Something else than the last event comes. */
  #leave(): void {
    this.#shortcut?.leave()
    const last = this.#repeated?.takeLast()
    if (last) this.#decoder.readCumulative?.(last)
  }

  fail(error: GatewayError): { bytes: Buffer; ending: 'end' | 'reset' } {
    this.#shortcut?.leave()
    this.#written.discard()
    const ending = this.#encoder.fail(error)
    return { bytes: this.#written.take(), ending }
  }

  keepAlive(): Buffer {
    return Buffer.from(this.#encoder.keepAlive())
  }

  #write(event: GenerateEvent): void {
    if (event.type === 'error') {
      this.#told = event
      return
    }
    if (event.type === 'start') this.#model = event.model
    else if (event.type === 'stop') this.#stops.push(event.stop.reason)
    else if (event.type === 'finish') this.#usage = event.usage
    else if (isOutput(event)) this.#hasOutput = true
    this.#encoder.encode(event)
  }

  #broken(error: unknown): Observation {
    return { ...failedObservation(brokenBy(error)), bytes: this.#written.take() }
  }

  #observed(): Observation {
    const written = this.#written
    if (this.#hasOutput && !this.isOver && !written.isEmpty) {
      return { phase: 'output', chunk: written.takeChunk() }
    }
    const bytes = this.#written.take()
    if (this.#told) return { phase: 'failed', bytes, ...failureOutcome(this.#told, this.#upstream) }
    if (this.#usage) return { phase: 'terminal', bytes, outcome: this.#outcome(this.#usage) }
    return { phase: this.#hasOutput ? 'output' : 'start', bytes }
  }

  #outcome(usage: GenerateUsage) {
    const { events, id, items, reply } = this.#encoder
    const keeping = storeReply(this.#translation, reply, events)
    const kind = this.#translation.client.produces
    const named = { kind, id, model: this.#model, items, keeping }
    return translatedOutcome(this.#stops, usage, named)
  }
}

/** Whether the client has waited for it. Thoughts count: they are shown as they come. */
function isOutput(event: GenerateEvent): boolean {
  if (event.type === 'delta') return true
  return event.type === 'part' && event.part.type !== 'text' && event.part.type !== 'reasoning'
}

function brokenBy(error: unknown): GatewayError {
  if (GatewayError.isInstance(error)) return error
  return new GatewayError('internal_error', 'The gateway failed to translate the reply.', {
    cause: error,
  })
}
