import type { Observation, Observer } from '../contract/observer.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Routed } from '../contract/exchange.ts'
import type { Outcome, Produced } from '../contract/outcome.ts'
import type { FramedEvent, Framing } from '../contract/framing.ts'
import { type JsonObject, hasManyValues } from '../lib/json/object.ts'
import { parseOrUndefined } from '../lib/json/read.ts'
import { endedEarly, failedObservation } from './broken-stream.ts'
import { eventJson } from './event-json.ts'
import { accountFraming } from './framing/sse.ts'
import {
  codeIn,
  errorIn,
  faultOfStatus,
  hasFailed,
  hasMessage,
  messageOf,
  noMessage,
  statusAt,
} from './upstream-error.ts'
import { redactMessage, redactValue, redacted } from './secrets/redact.ts'
import { faultOfSubject, pauseOf, refusalError, subjectOfRefusal } from './refusal-subject.ts'
import { OutputSize } from './output-size.ts'
import { tooMuchInEvent } from './too-deep.ts'
import type { Work } from '../lib/turns.ts'

/** An event of a stream with its data parsed. */
export interface ObservedEvent {
  readonly name: string
  readonly data: string
  /** `undefined` for `[DONE]`. */
  readonly json: Record<string, unknown> | undefined
  /** Whether the framing marks the event as an error, see `FramedEvent.isError`. */
  readonly isError: boolean
}

/** A frame with its data parsed. */
interface ReadFrame {
  readonly framed: FramedEvent
  /** Absent without data, and for `[DONE]`. */
  readonly json: JsonObject | GatewayError | undefined
}

/** An event that says why a stream ends. */
export interface FailureEvent {
  readonly name?: string | undefined
  /** Serialised as JSON. */
  readonly data: unknown
}

/** In characters. Redacting a longer event would stall the other clients. */
const mostRedacted = 8 * 1024 * 1024

const startPhase: Observation = { phase: 'start' }
const outputPhase: Observation = { phase: 'output' }

/**
 * Observes a native stream and decodes as little of it as possible: every frame until the first
 * output, then only frames that `isPlainDelta` does not recognise, or that look incomplete.
 */
export abstract class NativeObserver implements Observer {
  readonly contentType: string
  protected readonly exchange: Routed
  /** How the account's stream is framed. */
  protected readonly framing: Framing
  protected hasOutput = false
  /** Whether a frame has passed as ordinary output, see `isPlainDelta`. */
  protected hasPlainDelta = false
  /** The terminal observation that waits for the frame that ends the stream, where the framing has one. */
  #awaited: Observation | undefined
  readonly #output: OutputSize
  /** The first frame of the next call of `observe`, parsed by `prepare`. */
  #first: ReadFrame | undefined
  /** Set by `classify` if an event names a resource that clients can retrieve from now on. */
  protected announced: Produced | undefined

  constructor(exchange: Routed) {
    this.exchange = exchange
    this.framing = accountFraming(exchange.candidate.dialect)
    this.contentType = this.framing.contentType
    this.#output = new OutputSize(this.framing)
  }

  get outputTokens(): number {
    return this.#output.tokens
  }

  /**
   * Whether the frame between two positions is certainly output and nothing else. Runs for most
   * frames, so it compares a few bytes only, and returns `false` in doubt. An optimisation: without it,
   * every frame is parsed.
   */
  protected isPlainDelta(_frames: Buffer, _start: number, _end: number): boolean {
    return false
  }

  /** Interprets one event that is not ordinary. */
  protected abstract classify(event: ObservedEvent, frame: Buffer): Observation

  /** By default, only a terminal event completes a stream. */
  end(): Observation {
    return endedEarly()
  }

  /** By default, the last event is the dialect's own error. */
  fail(error: GatewayError): { bytes: Buffer; ending: 'end' | 'reset' } {
    const { dialect } = this.exchange
    return this.failWith([{ name: 'error', data: dialect.error(error, this.exchange).body }])
  }

  /**
   * The last events of a broken stream, framed as the account's stream. A framing with an end of its own
   * gets none: without that end, clients notice the reset.
   */
  protected failWith(
    events: readonly FailureEvent[],
    ending: 'end' | 'reset' = 'end',
  ): { bytes: Buffer; ending: 'end' | 'reset' } {
    if (this.framing.hasEnd) return { bytes: Buffer.alloc(0), ending: 'reset' }
    const encoder = this.framing.encode()
    const frames = events.map(({ name, data }) =>
      encoder.frame({ name, data: JSON.stringify(data), isError: true }),
    )
    return { bytes: Buffer.concat(frames.map((frame) => Buffer.from(frame as Buffer))), ending }
  }

  keepAlive(): Buffer {
    return Buffer.from(this.framing.keepAlive ?? '')
  }

  /** Parses the first frame, unless it is ordinary output, which `observe` passes on unparsed. */
  *prepare(frames: Buffer): Work<Buffer> {
    const end = this.framing.frameEnd(frames, 0)
    const isPlain = this.hasOutput && this.#passes(frames, 0, end)
    this.#first = isPlain ? undefined : this.#parse(frames.subarray(0, end))
    yield
    return frames
  }

  observe(frames: Buffer): Observation {
    let strongest = this.hasOutput ? outputPhase : startPhase
    let start = 0
    /** The frames up to here, if one of them is not as the account sent it. */
    let redacted: Buffer[] | undefined
    for (;;) {
      const passed = this.hasOutput ? this.#passOrdinary(frames, start) : start
      if (passed > start) {
        this.hasPlainDelta = true
        this.#output.addFrames(frames, start, passed)
        redacted?.push(frames.subarray(start, passed))
      }
      if (passed === frames.length) break
      const end = this.framing.frameEnd(frames, passed)
      const frame = frames.subarray(passed, end)
      const found = this.#decode(frame, this.#first ?? this.#parse(frame))
      this.#first = undefined
      if (found.phase === 'failed') {
        return { ...found, bytes: redacted ? Buffer.concat(redacted) : frames.subarray(0, passed) }
      }
      if (isStronger(found, strongest)) strongest = found
      if (found.bytes) redacted ??= [frames.subarray(0, passed)]
      redacted?.push(found.bytes ?? frame)
      start = end
    }
    if (redacted) strongest = { ...strongest, bytes: Buffer.concat(redacted) }
    return this.announced ? this.#announce(strongest) : strongest
  }

  /**
   * The end of the ordinary frames from `start` on. Most frames are ordinary: a view of each would cost
   * more than looking at it.
   */
  #passOrdinary(frames: Buffer, start: number): number {
    const { framing } = this
    let at = start
    while (framing.endsWhole && at < frames.length) {
      const end = framing.frameEnd(frames, at)
      if (!this.#passes(frames, at, end)) return at
      this.#output.frames++
      at = end
    }
    return at
  }

  #passes(frames: Buffer, start: number, end: number): boolean {
    return !!this.framing.endsWhole?.(frames, end) && this.isPlainDelta(frames, start, end)
  }

  #announce(observation: Observation): Observation {
    const { announced } = this
    this.announced = undefined
    return { ...observation, announced }
  }

  #parse(frame: Buffer): ReadFrame {
    const framed = this.framing.parse(frame)
    const { data } = framed
    return { framed, json: data === undefined || data === '[DONE]' ? undefined : eventJson(data) }
  }

  #decode(frame: Buffer, { framed, json }: ReadFrame): Observation {
    const { name, data, isEnd, isError = false } = framed
    if (data === undefined) return (isEnd && this.#awaited) || startPhase
    if (json instanceof GatewayError) return failedObservation(json)
    const event = { name, data, json, isError }
    const found = this.#classified(event, frame)
    if (found.phase === 'output') this.#output.addEvent(json)
    if (found.phase !== 'start') this.hasOutput = true
    return this.#untilEnd(this.#clean(found, event, frame))
  }

  /** An event that the framing or its form marks as an error is a failure, also where `classify` does not know it. */
  #classified(event: ObservedEvent, frame: Buffer): Observation {
    const found = this.classify(event, frame)
    if (found.phase === 'failed' || (found.outcome && hasFailed(found.outcome))) return found
    const error = this.errorOf(event)
    return error ? this.observedError(error) : found
  }

  /** The error object of an event that reports an error. By default in a form of any provider. */
  protected errorOf({
    name,
    json,
    isError,
  }: ObservedEvent): Readonly<Record<string, unknown>> | undefined {
    return errorIn(json, isError ? 'error' : name)
  }

  #untilEnd(found: Observation): Observation {
    if (found.phase !== 'terminal' || !this.framing.hasEnd) return found
    const { bytes, outcome, ...last } = found
    this.#awaited = { ...last, ...(outcome && { outcome }) }
    return bytes ? { phase: 'output', bytes } : outputPhase
  }

  #clean(found: Observation, event: ObservedEvent, frame: Buffer): Observation {
    const isFailure = (found.outcome && hasFailed(found.outcome)) || this.reportsFailure(event)
    const isLarge = event.data.length > mostRedacted
    if (!isFailure && this.isKnown(event) && (isLarge || !hasMessageIn(event))) return found
    if (isLarge) return failedObservation(tooMuchInEvent())
    return this.#withoutDisclosures(found, frame, event)
  }

  /**
   * Whether an event that is not ordinary reports why a reply is not complete, in the account's own words.
   * Such events reach the client without the account's key and address, as terminal events do whose
   * outcome is a failure.
   */
  protected reportsFailure(_event: ObservedEvent): boolean {
    return false
  }

  /**
   * Whether the dialect knows an event that is not ordinary by its form. A server in front of an account writes
   * others, which may disclose as much as an error does, and reach the client as redacted as one. So do known
   * events with a message at their top, unless they are as large as an image.
   */
  protected isKnown(_event: ObservedEvent): boolean {
    return true
  }

  /** Adds the frame that the client gets without the account's key and address, if it contains any. */
  #withoutDisclosures(found: Observation, frame: Buffer, event: ObservedEvent): Observation {
    if (found.bytes?.length === 0) return found
    const { json, data } = event
    const sent = found.bytes ? parseOrUndefined(this.framing.parse(found.bytes).data ?? '') : json
    const clean = redactValue(sent, this.exchange.candidate.account)
    if (clean === sent) return found
    if (hasManyValues(Buffer.from(data))) return failedObservation(tooMuchInEvent())
    const bytes = this.framing.withData(found.bytes ?? frame, () =>
      Buffer.from(JSON.stringify(clean)),
    )
    return { ...found, bytes }
  }

  /**
   * The observation of an error event with the provider's error object. Its status says whose fault it is, as in a
   * translated stream.
   */
  protected observedError(
    error: Readonly<Record<string, unknown>> = {},
    message: unknown = messageOf(error),
  ): Observation {
    const status = statusAt(error, this.exchange.candidate.dialect)
    return this.reportedError(status, message, faultOfStatus(status), error)
  }

  /**
   * The observation of an error event. `status` is the HTTP status that the error stands for, `fault`
   * whose fault it is unless it is a refusal, and `error` the provider's error object.
   */
  protected reportedError(
    status: number,
    message: unknown,
    fault: 'account' | 'caller',
    error: Readonly<Record<string, unknown>> = {},
  ): Observation {
    const { account, dialect } = this.exchange.candidate
    const text = typeof message === 'string' ? message : noMessage
    const about = subjectOfRefusal(
      { status, error: 'message' in error ? error : { message, ...error }, headers: {} },
      dialect.upstream,
    )
    const shown = new GatewayError('upstream_rejected', redactMessage(text, account), {
      status,
      upstreamCode: redacted(codeIn(error), account),
    })
    const retryAfterMs = pauseOf({ status, error }, dialect.upstream)
    const refusal = refusalError(about, shown)
    const outcome: Outcome = {
      status: 'failed',
      fault: about ? faultOfSubject(about) : fault,
      ...(about && { about }),
      httpStatus: status,
      error: refusal,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    }
    return { phase: 'failed', error: refusal, outcome }
  }
}

function hasMessageIn({ json }: ObservedEvent): boolean {
  return json !== undefined && hasMessage(json)
}

/** Whether a frame decides the outcome: no later frame turns a failure into a success. */
function isStronger(found: Observation, strongest: Observation): boolean {
  if (strongest.phase === 'terminal') {
    return found.phase === 'terminal' && !(strongest.outcome && hasFailed(strongest.outcome))
  }
  return found.phase === 'terminal' || strongest.phase === 'start'
}
