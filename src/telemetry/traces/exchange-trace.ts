import { TraceFlags, type Span, type SpanContext } from '@opentelemetry/api'
import type { IncomingHttpHeaders } from 'node:http'

import type { Outbound } from '../../contract/outbound.ts'
import type { Attempt, Ended, Routed } from '../../contract/exchange.ts'
import type { Outcome, Summary } from '../../contract/outcome.ts'
import type { ExchangeTrace, LinkReason, StoreRead, TracedStage } from '../../contract/trace.ts'
import { readTraceparent, writeTraceparent } from '../../lib/traceparent.ts'
import { attemptErrorType } from '../error-types.ts'
import { AttemptSpan, type FailedAttempt } from './attempt-span.ts'
import type { ContentCapture } from './content/capture.ts'
import type { EndedSpan, SpanMaker } from './maker.ts'
import { spanText } from './names.ts'
import { OperationSpan, operationOf } from './operation-span.ts'
import { endServerSpan } from './server-span.ts'
import { type StageTimes, type Stages, decodeMsOf, makeStageSpans, timed } from './stage-spans.ts'

/** The options of a sampled trace. */
interface TraceOptions {
  /** The kind of the store, where its look-ups have spans. */
  readonly store: string | undefined
  readonly content: ContentCapture | undefined
}

/** A call may refer to any number of things. */
const mostLookups = 20

/**
 * The spans of one exchange, as a tree below its own. They are kept here and not in an asynchronous
 * context, which callbacks of streams lose. All but its own are made when the exchange has ended, from the times noted
 * until then.
 */
export class SampledTrace implements ExchangeTrace<Routed> {
  readonly #maker: SpanMaker
  readonly #span: Span
  readonly #content: ContentCapture | undefined
  readonly #times: StageTimes = {}
  readonly #store: string | undefined
  readonly #lookups: Stages['lookups'][number][] = []
  readonly #attempts: AttemptSpan[] = []
  #operation: OperationSpan | undefined
  #isProbing = false
  /** The failed attempt that the next one follows, also if it sent no request. */
  #failed: FailedAttempt | undefined
  readonly #recordings: Stages['recordings'][number][] = []
  #binding: Stages['binding']
  readonly wrote: ExchangeTrace<Routed>['wrote']
  /** When the exchange ended, by `performance.now()`. */
  #closedAt: number | undefined
  #isEnded = false

  constructor(maker: SpanMaker, span: Span, { store, content }: TraceOptions) {
    this.#maker = maker
    this.#span = span
    this.#content = content
    this.#store = store
    this.wrote = content && ((bytes) => content.wrote(bytes))
  }

  get traceId(): string {
    return this.#span.spanContext().traceId
  }

  get spanId(): string {
    return this.#span.spanContext().spanId
  }

  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.#span.spanContext()
    return writeTraceparent({ traceId, spanId, flags: traceFlags })
  }

  reached(stage: TracedStage): void {
    this.#times[stage] ??= performance.now()
  }

  linkTo(traceparent: unknown, reason: LinkReason): void {
    const parts = readTraceparent(traceparent)
    if (!parts || this.#closedAt !== undefined) return
    const { traceId, spanId, flags } = parts
    this.#span.addLink({
      context: { traceId, spanId, traceFlags: flags & TraceFlags.SAMPLED, isRemote: true },
      attributes: { 'dragoman.link.reason': reason },
    })
  }

  readsStore(name: StoreRead, read: Promise<unknown>): void {
    if (this.#store === undefined || this.#lookups.length === mostLookups) return
    this.#lookups.push({ name, work: timed(read) })
  }

  probing(): void {
    this.#isProbing = true
  }

  sending(exchange: Routed, outbound: Outbound): void {
    // A plugin sends the request of an attempt again: the first one was given up.
    this.#openSpanOf(exchange.attempt)?.settle(undefined)
    const isProbe = this.#isProbing
    const failover = this.#failoverTo(exchange.attempt)
    const attempt = new AttemptSpan(exchange, outbound, { isProbe, failover })
    this.#isProbing = false
    this.#attempts.push(attempt)
    if (this.#attempts.length === 1) this.#operation = this.#beginOperation(attempt)
  }

  answered(attempt: object, status: number, headers: IncomingHttpHeaders): void {
    this.#openSpanOf(attempt)?.answered(status, headers)
  }

  settled(attempt: Attempt, outcome: Outcome): void {
    if (outcome.status === 'failed') {
      const account = attempt.candidate.account.id
      this.#failed = { account, type: attemptErrorType(outcome, attempt) }
    }
    this.#openSpanOf(attempt)?.settle(outcome)
  }

  recording(written: Promise<void>, id?: string): void {
    if (this.#closedAt !== undefined) return
    const exchange = this.#attempts.at(-1)?.exchange
    const shown = id !== undefined && exchange ? spanText(id, exchange) : undefined
    this.#recordings.push({ id: shown, work: timed(written) })
  }

  bound(ttlMs: number, isWritten: boolean): void {
    this.#binding = { ttlMs, isWritten }
  }

  /** Settles the attempts, after the last byte. Later calls have no effect. */
  close(): void {
    if (this.#closedAt !== undefined) return
    this.#closedAt = performance.now()
    for (const attempt of this.#attempts) attempt.settle(undefined)
  }

  /** Closes the trace, and makes its spans. Later calls have no effect. */
  end(exchange: Ended, summary: Summary): void {
    this.close()
    if (this.#isEnded) return
    this.#isEnded = true
    const endedAt = exchange.receivedAt + summary.durationMs
    const closedAt = this.#closedAt ?? endedAt
    this.#makeAttempts(exchange, summary, closedAt)
    makeStageSpans(this.#maker, this.#span, exchange, {
      times: this.#times,
      lookups: this.#lookups,
      store: this.#store,
      recordings: this.#recordings,
      binding: this.#binding,
      endedAt,
    })
    const decodeMs = decodeMsOf(this.#times)
    endServerSpan(this.#span, exchange, { endedAt: this.#maker.time(endedAt), summary, decodeMs })
  }

  /** The parent of the attempts of an exchange that asks a model for something. */
  #beginOperation({ exchange, startedAt }: AttemptSpan): OperationSpan | undefined {
    const name = operationOf(exchange)
    if (!name) return undefined
    this.#content?.request(exchange)
    return new OperationSpan(exchange, name, this.#times.routed ?? startedAt)
  }

  #makeAttempts(exchange: Ended, summary: Summary, closedAt: number): void {
    const failovers = this.#attempts.flatMap(failoverOf)
    const { length: attempts } = this.#attempts
    const content = this.#content?.attributes(exchange)
    const how = { summary, closedAt, attempts, failovers, content }
    const call = this.#operation?.ended(exchange, how)
    const parent = call ? this.#maker.make(this.#span, call) : this.#span
    if (!call) addEvents(this.#span, failovers, this.#maker)
    for (const attempt of this.#attempts) this.#maker.make(parent, attempt.ended())
  }

  #failoverTo({ number }: Attempt): FailedAttempt | undefined {
    // The requests of a look-up have number 1: they are no attempts of the same call.
    if (number === 1) return undefined
    const failed = this.#failed
    this.#failed = undefined
    return failed
  }

  #openSpanOf(attempt: object): AttemptSpan | undefined {
    return this.#attempts.findLast((one) => one.attempt === attempt && one.isOpen)
  }
}

type Events = NonNullable<EndedSpan['events']>

function addEvents(span: Span, events: Events, maker: SpanMaker): void {
  for (const { name, attributes, at } of events) span.addEvent(name, attributes, maker.time(at))
}

/** The event of an attempt that follows a failed one. */
function failoverOf({ failover, attempt, startedAt }: AttemptSpan): Events {
  if (!failover) return []
  const attributes = {
    'dragoman.failover.from': failover.account,
    'dragoman.failover.to': attempt.candidate.account.id,
    'dragoman.failover.reason': failover.type,
  }
  return [{ name: 'dragoman.failover', attributes, at: startedAt }]
}

/** A trace without spans: only its ids are known, for logs, replies and records. */
export class UnsampledTrace implements ExchangeTrace<Routed> {
  readonly traceId: string
  readonly spanId: string
  readonly #flags: number

  constructor({ traceId, spanId, traceFlags }: SpanContext) {
    this.traceId = traceId
    this.spanId = spanId
    this.#flags = traceFlags
  }

  get traceparent(): string {
    const { traceId, spanId } = this
    return writeTraceparent({ traceId, spanId, flags: this.#flags })
  }

  reached(): void {}
  sending(): void {}
  settled(): void {}
  linkTo(): void {}
  probing(): void {}
  answered(): void {}
  readsStore(): void {}
  recording(): void {}
  bound(): void {}
}
