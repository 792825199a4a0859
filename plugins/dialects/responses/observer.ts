import type { Observation } from '../../../src/contract/observer.ts'
import type { StoredData } from '../../../src/contract/stored-data.ts'
import type { GatewayError } from '../../../src/contract/errors.ts'
import type { Outcome } from '../../../src/contract/outcome.ts'
import { errorEnvelope } from '../../../src/kit/error-envelope.ts'
import { type FailureEvent, NativeObserver, type ObservedEvent } from '../../../src/kit/observe.ts'
import { endedEarly } from '../../../src/kit/broken-stream.ts'
import { formatFrame, splitFrames, startsWith } from '../../../src/lib/sse.ts'
import { sse } from '../../../src/kit/framing/sse.ts'
import { errorIn } from '../../../src/kit/upstream-error.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { DisclosedData } from '../../../src/kit/observer-state.ts'
import { numberAt, objectAt, stringAt } from '../../../src/lib/json/read.ts'
import { frameMember, longFrame } from '../shared/frame-member.ts'
import { eventErrorIn, isResponsesEvent } from './codec/decode-reply/failure.ts'
import { disclosedIn } from './named-data.ts'
import { endStatusIn, explainsEnd, responseOutcome } from './outcome.ts'
import { TextSet } from '../../../src/lib/text-map.ts'

const doneFrame = Buffer.from(formatFrame(undefined, '[DONE]'))

/** First lines of the most frequent frames, which need no parsing. */
const frequentLines = [
  'event: response.output_text.delta\n',
  'event: response.function_call_arguments.delta\n',
  'event: response.reasoning_text.delta\n',
  'event: response.reasoning_summary_text.delta\n',
].map((line) => Buffer.from(line))

/** Events that announce a response and carry no output. */
const announcements = new TextSet(['response.created', 'response.queued', 'response.in_progress'])

/** Observes a streamed response, which ends with one of three terminal events. */
export class ResponsesObserver extends NativeObserver {
  #snapshot: Record<string, unknown> | undefined
  #lastFrames: Buffer | undefined
  /** The number of the last long event, of whose frame only a part is looked at again. */
  #numberOfLong: number | undefined
  readonly #disclosed = new DisclosedData()

  get discloses(): readonly StoredData[] | undefined {
    return this.#disclosed.all
  }

  override observe(frames: Buffer): Observation {
    const observation = super.observe(frames)
    const lastFrames = observation.phase === 'failed' ? observation.bytes : frames
    if (lastFrames && lastFrames.length > 0) this.#lastFrames = lastFrames
    return observation
  }

  protected override isPlainDelta(frames: Buffer, start: number): boolean {
    return frequentLines.some((line) => startsWith(frames, start, line))
  }

  protected override classify({ name, data, json }: ObservedEvent): Observation {
    // A character takes up to three bytes of a frame.
    if (data.length > longFrame / 4) this.#numberOfLong = numberAt(json, 'sequence_number')
    const type = stringAt(json, 'type') ?? name
    const response = objectAt(json, 'response')
    if (announcements.has(type)) {
      this.#snapshot = response ?? this.#snapshot
      return this.#announce(response)
    }
    const status = endStatusIn(type)
    if (status === 'failed') return this.#failedResponse(response)
    if (status) {
      const outcome = responseOutcome(response, status)
      if (outcome.error) return this.observedError(errorIn(response))
      return { phase: 'terminal', outcome: this.#withItems(outcome) }
    }
    if (type === 'response.output_item.done') this.#noteItem(json?.item)
    // `[DONE]` does not state how the response ended. Other events of servers on the way are no output.
    return { phase: json && type.startsWith('response.') ? 'output' : 'start' }
  }

  protected override errorOf({ name, json, isError }: ObservedEvent): JsonObject | undefined {
    return eventErrorIn(json, isError ? 'error' : name)
  }

  protected override isKnown({ name, json }: ObservedEvent): boolean {
    return !json || isResponsesEvent(json, name)
  }

  /** Also failed calls of tools, such as `response.mcp_call.failed`. */
  protected override reportsFailure({ name, json }: ObservedEvent): boolean {
    const type = stringAt(json, 'type') ?? name
    return type.endsWith('.failed') || explainsEnd(objectAt(json, 'response'))
  }

  override end(): Observation {
    return endedEarly()
  }

  /**
   * A background response counts as output once its id is known: from then on the client can cancel
   * it or look it up, even after it has left the stream.
   */
  #announce(response: Record<string, unknown> | undefined): Observation {
    const id = stringAt(response, 'id')
    const isNew = this.exchange.body.json.background === true && !this.hasOutput
    if (!isNew || id === undefined) return { phase: 'start' }
    this.announced = { kind: 'response', id, model: stringAt(response, 'model'), binds: 'own' }
    return { phase: 'output' }
  }

  /** Once the client has received output, a failed response is a complete reply. */
  #failedResponse(response: Record<string, unknown> | undefined): Observation {
    const outcome = this.#withItems(responseOutcome(response, 'failed'))
    const { httpStatus: status } = outcome
    if (status === undefined) return { phase: 'terminal', outcome }
    const error = objectAt(response, 'error')
    const reported = this.observedError(error)
    if (!this.hasOutput || !reported.outcome) return reported
    const { fault, about } = reported.outcome
    return { phase: 'terminal', outcome: { ...outcome, fault, ...(about && { about }) } }
  }

  /** Some accounts leave the items out of the last event. */
  #noteItem(item: unknown): void {
    this.#disclosed.add(...disclosedIn([item]))
  }

  #withItems(outcome: Outcome): Outcome {
    const { discloses } = this
    if (!discloses || outcome.discloses || outcome.error) return outcome
    return { ...outcome, discloses }
  }

  /**
   * Writes `error` flat and nested, because SDK versions read one or the other, then the failed
   * response, then `[DONE]` (docs/wire/openai.md 1.9).
   */
  override fail(error: GatewayError): { bytes: Buffer; ending: 'end' | 'reset' } {
    const number = this.#nextSequenceNumber()
    const { errors } = this.exchange
    const { error: shown } = errorEnvelope(error, this.exchange).body as {
      error: { code: unknown }
    }
    const { upstreamCode } = error
    const flat = {
      code: errors === 'native' ? shown.code : (upstreamCode ?? error.code),
      message: error.message,
      param: error.param ?? null,
    }
    const failed = { type: 'error', sequence_number: number, ...flat, error: shown }
    const events: FailureEvent[] = [{ name: 'error', data: failed }]
    if (this.#snapshot) {
      const failure = { code: upstreamCode ?? 'server_error', message: error.message }
      const response = { ...this.#snapshot, status: 'failed', error: failure }
      const event = { type: 'response.failed', sequence_number: number + 1, response }
      events.push({ name: 'response.failed', data: event })
    }
    const { bytes, ending } = this.failWith(events)
    const isSse = this.framing === sse
    return { bytes: isSse ? Buffer.concat([bytes, doneFrame]) : bytes, ending }
  }

  #nextSequenceNumber(): number {
    for (const frame of splitFrames(this.#lastFrames ?? Buffer.alloc(0)).toReversed()) {
      const last = frameMember(frame, 'sequence_number')
      if (typeof last === 'number') return last + 1
    }
    return this.#numberOfLong === undefined ? 0 : this.#numberOfLong + 1
  }
}
