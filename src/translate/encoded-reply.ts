import type { Candidate } from '../contract/candidate.ts'
import type { EventEncoder, FrameSink } from '../contract/codec.ts'
import type { GatewayError } from '../contract/errors.ts'
import type { Observation } from '../contract/observer.ts'
import type { ErrorEvent, GenerateEvent } from '../generate/events.ts'
import type { Choice, GenerateResult, GenerateUsage, StopReason } from '../generate/result.ts'
import { failedObservation } from '../kit/broken-stream.ts'
import { errorIn } from '../kit/upstream-error.ts'
import { tooMuchInEvent } from '../kit/too-deep.ts'
import type { JsonObject } from '../lib/json/object.ts'
import { failureOutcome, translatedOutcome } from './outcome.ts'
import { storeReply } from './persist-reply.ts'
import { type Translation, nameModel } from './translation.ts'
import type { Account } from '../contract/account.ts'
import type { AssistantPart } from '../generate/content.ts'
import { redact } from '../kit/secrets/redact.ts'

const nothing = Buffer.alloc(0)

/** The client's side of a translated stream: encodes its events, and makes observations of what has been encoded. */
export class EncodedReply {
  readonly encoder: EventEncoder
  readonly #translation: Translation
  readonly #upstream: Pick<Candidate, 'account' | 'dialect'>
  /** The client's frames since the last observation. */
  readonly #output = new FrameOutput()
  readonly #refusals: RefusalFilter
  readonly #stops: StopReason[] = []
  #model: string | undefined
  #hasOutput = false
  #usage: GenerateUsage | undefined
  #error: ErrorEvent | undefined

  /** `encodeEvents` replaces the function of that name in the client's codec. */
  constructor(
    translation: Translation,
    upstream: Pick<Candidate, 'account' | 'dialect'>,
    encodeEvents?: (sink: FrameSink) => EventEncoder,
  ) {
    const { client, context } = translation
    this.encoder = encodeEvents?.(this.#output) ?? client.codec.encodeEvents(context, this.#output)
    this.#translation = translation
    this.#upstream = upstream
    this.#refusals = new RefusalFilter(upstream.account)
  }

  /** The counts of a reply that has ended. */
  get usage(): GenerateUsage | undefined {
    return this.#usage
  }

  /** Whether the end of the reply, or its failure, has been written. */
  get isConcluded(): boolean {
    return (this.#usage ?? this.#error) !== undefined
  }

  write(event: GenerateEvent): void {
    if (event.type === 'error') {
      this.#error ??= event
      return
    }
    if (event.type === 'start') this.#start(event.model)
    else if (event.type === 'stop') this.#stops.push(event.stop.reason)
    else if (event.type === 'finish') this.#usage = event.usage
    else if (isOutput(event)) this.#hasOutput = true
    this.encoder.encode(this.#refusals.clean(event))
  }

  #start(model: string | undefined): void {
    this.#model = model
    nameModel(this.#translation, model)
  }

  /**
   * Observes what has been written since the last time. `mayFollow`: whether events follow, as far as is known;
   * `isEnded`: whether the account's stream has ended; `reported`: the account's event that became the error.
   */
  observed(state: {
    readonly mayFollow: boolean
    readonly isEnded: boolean
    readonly reported: JsonObject | undefined
  }): Observation {
    if (this.#hasOutput && state.mayFollow && !this.#output.isEmpty) {
      return { phase: 'output', bytes: this.#output.take() }
    }
    // The last frames wait for the end of the account's stream.
    if (this.#usage && !state.isEnded) return { phase: 'start', bytes: nothing }
    const bytes = this.#output.take()
    if (this.#error) {
      const failure = failureOutcome(this.#error, this.#upstream, errorOf(state.reported))
      return { phase: 'failed', bytes, ...failure }
    }
    if (this.#usage) return { phase: 'terminal', bytes, outcome: this.#outcome(this.#usage) }
    return { phase: this.#hasOutput ? 'output' : 'start', bytes }
  }

  /** Observes that nothing more can be read or written, behind what has been written. */
  broken(error: GatewayError): Observation {
    return { ...failedObservation(error), bytes: this.#output.take() }
  }

  /** The last bytes of a broken stream, in place of what has not been observed. */
  fail(error: GatewayError): { bytes: Buffer; ending: 'end' | 'reset' } {
    this.#output.discard()
    const ending = this.encoder.fail(error)
    return { bytes: this.#output.take(), ending }
  }

  #outcome(usage: GenerateUsage) {
    const { events, id, items, reply } = this.encoder
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

/** Joins the frames that an encoder writes. */
class FrameOutput implements FrameSink {
  readonly #pieces: Buffer[] = []
  /** The frames behind the pieces, which are encoded together. */
  #text = ''

  get isEmpty(): boolean {
    return this.#text === '' && this.#pieces.length === 0
  }

  write(frames: string | Buffer): void {
    if (typeof frames === 'string') this.#text += frames
    else {
      this.#endText()
      this.#pieces.push(frames)
    }
  }

  /** The bytes since the last call of `take` or `discard`. */
  take(): Buffer {
    this.#endText()
    const pieces = this.#pieces.splice(0)
    const [first = nothing] = pieces
    return pieces.length > 1 ? Buffer.concat(pieces) : first
  }

  discard(): void {
    this.#text = ''
    this.#pieces.length = 0
  }

  #endText(): void {
    if (this.#text !== '') this.#pieces.push(Buffer.from(this.#text))
    this.#text = ''
  }
}

/** In characters. Redacting more would hold up the other clients; no model refuses at such length. */
const longestWords = 8 * 1024 * 1024

function redactWords(text: string, upstream: Account): string {
  if (text.length > longestWords) throw tooMuchInEvent()
  return redact(text, upstream)
}

/**
 * Removes the account's key and address from refusals, and from reasons to stop: many are the account's
 * own words, such as `blockReasonMessage` of the Gemini API, and not the model's.
 */
class RefusalFilter {
  readonly #upstream: Account
  /** The indexes of the parts that are refusals. */
  #refusals: Set<number> | undefined

  constructor(upstream: Account) {
    this.#upstream = upstream
  }

  /** Returns the event; another one if it discloses something. */
  clean<E extends GenerateEvent>(event: E): E {
    if (event.type === 'delta') {
      if (!this.#refusals?.has(event.index)) return event
      return { ...event, text: redactWords(event.text, this.#upstream) }
    }
    if (event.type === 'part' && event.part.type === 'refusal') {
      this.#refusals ??= new Set()
      this.#refusals.add(event.index)
    }
    if (event.type !== 'stop' || event.stop.raw === undefined) return event
    return { ...event, stop: { ...event.stop, raw: redactWords(event.stop.raw, this.#upstream) } }
  }
}

/** Returns the result with its refusals filtered in the same way. */
export function cleanRefusals(result: GenerateResult, upstream: Account): GenerateResult {
  if (!result.choices.some(isRefusal)) return result
  return { ...result, choices: result.choices.map((choice) => cleanChoice(choice, upstream)) }
}

function isRefusal({ content, stop }: Choice): boolean {
  return stop.raw !== undefined || content.some(({ type }) => type === 'refusal')
}

function cleanChoice({ content, stop }: Choice, upstream: Account): Choice {
  const clean = (part: AssistantPart) =>
    part.type === 'refusal' ? { ...part, text: redactWords(part.text, upstream) } : part
  const raw = stop.raw === undefined ? {} : { raw: redactWords(stop.raw, upstream) }
  return { content: content.map(clean), stop: { ...stop, ...raw } }
}
