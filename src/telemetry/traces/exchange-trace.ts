import { SpanStatusCode, TraceFlags, type Span, type SpanContext } from '@opentelemetry/api'
import type { IncomingHttpHeaders } from 'node:http'

import type { Outbound } from '../../contract/attempt.ts'
import type { Attempt, Ended, Routed } from '../../contract/exchange.ts'
import type { Outcome, Summary } from '../../contract/outcome.ts'
import type { ExchangeTrace, LinkReason, StoreRead, TracedStage } from '../../contract/trace.ts'
import { readTraceparent, writeTraceparent } from '../../lib/traceparent.ts'
import { attemptErrorType } from '../error-types.ts'
import { AttemptSpan, type FailedAttempt } from './attempt-span.ts'
import type { ContentCapture } from './content/capture.ts'
import { OperationSpan, operationOf } from './operation-span.ts'
import type { Maker } from './maker.ts'
import { spanText } from './names.ts'
import { learnsOfSpans, withSpan } from './outgoing.ts'
import { endServerSpan } from './server-span.ts'
import { addStageSpans, decodeMsOf, type StageTimes } from './stage-spans.ts'
import { StoreReads } from './store-reads.ts'

/** The binding of a result. */
interface BoundResult {
  readonly ttlMs: number
  readonly isWritten: boolean
}

/**
 * The spans of one exchange, as a tree below its own. They are kept here and not in an asynchronous
 * context, which callbacks of streams lose. Every span ends once. Nearly all are made when the exchange has
 * ended, from the times noted until then.
 */
export class SampledTrace implements ExchangeTrace<Routed> {
  readonly #maker: Maker
  readonly #span: Span
  readonly #times: StageTimes = {}
  #reads: StoreReads | undefined
  #operation: OperationSpan | undefined
  readonly #attempts: AttemptSpan[] = []
  /** The failed attempt that the next one follows. */
  #failed: FailedAttempt | undefined
  #isProbing = false
  #binding: BoundResult | undefined
  readonly #content: ContentCapture | undefined
  readonly wrote: ExchangeTrace<Routed>['wrote']
  /** When the exchange ended, by `performance.now()`. */
  #closedAt: number | undefined
  #isEnded = false

  constructor(maker: Maker, span: Span, content?: ContentCapture) {
    this.#maker = maker
    this.#content = content
    this.wrote = content && ((bytes) => content.wrote(bytes))
    this.#span = span
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
    if (this.#maker.store !== undefined) (this.#reads ??= new StoreReads()).add(name, read)
  }

  probing(): void {
    this.#isProbing = true
  }

  answered(attempt: object, status: number, headers: IncomingHttpHeaders): void {
    this.#openSpanOf(attempt)?.answered(status, headers)
  }

  recording(written: Promise<void>, id?: string): void {
    const { startChild, detail, clock } = this.#maker
    if (detail !== 'full' || this.#closedAt !== undefined) return
    const startTime = clock(performance.now())
    const span = startChild('dragoman.record', { startTime }, this.#span)
    const exchange = this.#attempts.at(-1)?.exchange
    if (id !== undefined && exchange)
      span.setAttribute('gen_ai.response.id', spanText(id, exchange))
    const end = () => {
      if (this.#binding) addBinding(span, this.#binding)
      span.end(clock(performance.now()))
    }
    written.then(end, () => {
      span.setStatus({ code: SpanStatusCode.ERROR })
      end()
    })
  }

  bound(ttlMs: number, isWritten: boolean): void {
    this.#binding = { ttlMs, isWritten }
  }

  sending(exchange: Routed, outbound: Outbound): Outbound {
    // A plugin sends the request of an attempt again: the first one was given up.
    this.#openSpanOf(exchange.attempt)?.settle(undefined)
    const isProbe = this.#isProbing
    const failover = this.#failoverTo(exchange.attempt)
    const attempt = new AttemptSpan(exchange, outbound, { isProbe, failover })
    this.#isProbing = false
    this.#attempts.push(attempt)
    if (this.#attempts.length === 1) this.#operation = this.#beginOperation(attempt)
    const { propagator } = this.#maker
    if (!learnsOfSpans(exchange.candidate.account, propagator)) return outbound
    return withSpan(outbound, this.#startAttempt(attempt), propagator)
  }

  settled(attempt: Attempt, outcome: Outcome): void {
    if (outcome.status === 'failed') {
      const account = attempt.candidate.account.id
      this.#failed = { account, type: attemptErrorType(outcome, attempt) }
    }
    this.#openSpanOf(attempt)?.settle(outcome)
  }

  /** Settles the attempts, after the last byte. Later calls have no effect. */
  close(): void {
    if (this.#closedAt !== undefined) return
    this.#closedAt = performance.now()
    for (const attempt of this.#attempts) attempt.settle(undefined)
  }

  /** Closes the trace, and ends its spans at the times when they ended. Later calls have no effect. */
  end(exchange: Ended, summary: Summary): void {
    this.close()
    if (this.#isEnded) return
    this.#isEnded = true
    const { receivedAt } = exchange
    const { durationMs } = summary
    this.#endAttempts()
    this.#operation?.end(this.#maker, this.#span, exchange, {
      summary,
      closedAt: this.#closedAt ?? receivedAt + durationMs,
      attempts: this.#attempts.length,
      content: this.#content?.attributes(exchange),
    })
    addStageSpans(this.#maker, this.#span, exchange, {
      times: this.#times,
      reads: this.#reads,
      endedAt: receivedAt + durationMs,
    })
    const decodeMs = decodeMsOf(this.#times)
    endServerSpan(this.#span, exchange, { clock: this.#maker.clock, summary, decodeMs })
  }

  /** What an exchange that asks a model for something has above its attempts. */
  #beginOperation({ exchange, startedAt }: AttemptSpan): OperationSpan | undefined {
    const name = operationOf(exchange)
    if (!name) return undefined
    this.#content?.request(exchange)
    return new OperationSpan(exchange, name, this.#times.routed ?? startedAt)
  }

  /** The span that the spans of attempts are below. */
  #aboveAttempts(): Span {
    return this.#operation?.start(this.#maker, this.#span) ?? this.#span
  }

  /** Starts the span of an attempt. Returns the span that the account may learn of. */
  #startAttempt(attempt: AttemptSpan): SpanContext {
    const above = this.#aboveAttempts()
    const span = this.#maker.detail === 'minimal' ? above : attempt.start(this.#maker, above)
    return span.spanContext()
  }

  #endAttempts(): void {
    if (this.#attempts.length === 0) return
    const above = this.#aboveAttempts()
    for (const attempt of this.#attempts) {
      const { failover, startedAt } = attempt
      if (failover) addFailover(above, attempt, failover, this.#maker.clock(startedAt))
      if (this.#maker.detail !== 'minimal') attempt.end(this.#maker, above)
    }
  }

  #failoverTo({ number }: Attempt): FailedAttempt | undefined {
    // The requests of a look-up are no attempts of the same call.
    if (number === 1) return undefined
    const failed = this.#failed
    this.#failed = undefined
    return failed
  }

  #openSpanOf(attempt: object): AttemptSpan | undefined {
    return this.#attempts.findLast((one) => one.attempt === attempt && one.isOpen)
  }
}

function addFailover(
  span: Span,
  { attempt }: AttemptSpan,
  { account, type }: FailedAttempt,
  time: number,
): void {
  const attributes = {
    'dragoman.failover.from': account,
    'dragoman.failover.to': attempt.candidate.account.id,
    ...(type && { 'dragoman.failover.reason': type }),
  }
  span.addEvent('dragoman.failover', attributes, time)
}

function addBinding(span: Span, { ttlMs, isWritten }: BoundResult): void {
  span.setAttribute('dragoman.binding.written', isWritten)
  span.setAttribute('dragoman.binding.ttl', ttlMs / 1_000)
  if (!isWritten) span.setStatus({ code: SpanStatusCode.ERROR })
}
