import { SpanStatusCode, TraceFlags, type Span, type SpanContext } from '@opentelemetry/api'
import type { IncomingHttpHeaders } from 'node:http'

import type { Outbound } from '../../contract/attempt.ts'
import type { Attempt, Ended, Routed } from '../../contract/exchange.ts'
import type { Outcome, Summary } from '../../contract/outcome.ts'
import type { ExchangeTrace, LinkReason, StoreRead, TracedStage } from '../../contract/trace.ts'
import { readTraceparent, writeTraceparent } from '../../lib/traceparent.ts'
import { type ErrorType, attemptErrorType } from '../error-types.ts'
import { AttemptSpan } from './attempt-span.ts'
import type { ContentCapture } from './content/capture.ts'
import { OperationSpan, operationOf } from './operation-span.ts'
import type { Maker } from './maker.ts'
import { cleanText } from './names.ts'
import { withSpan } from './outgoing.ts'
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
 * context, which callbacks of streams lose. Every span ends once, at the latest with the exchange.
 */
export class SampledTrace implements ExchangeTrace<Routed> {
  readonly #maker: Maker
  readonly #span: Span
  readonly #times: StageTimes = {}
  #reads: StoreReads | undefined
  #operation: OperationSpan | undefined
  #attempts: AttemptSpan[] = []
  /** The failed attempt that the next one follows. */
  #failed: { readonly account: string; readonly type: ErrorType | undefined } | undefined
  #sent = 0
  #isProbing = false
  #exchange: Routed | undefined
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
    this.#spanOf(attempt)?.answered(status, headers)
  }

  recording(written: Promise<void>, id?: string): void {
    const { startChild, detail, clock } = this.#maker
    if (detail !== 'full' || this.#closedAt !== undefined) return
    const startTime = clock(performance.now())
    const span = startChild('dragoman.record', { startTime }, this.#span)
    if (id !== undefined && this.#exchange)
      span.setAttribute('gen_ai.response.id', cleanText(id, this.#exchange))
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
    const span = this.#beginAttempt(exchange, outbound)
    return withSpan(outbound, exchange.candidate.account, span, this.#maker.propagator)
  }

  settled(attempt: Attempt, outcome: Outcome): void {
    if (outcome.status === 'failed') {
      const account = attempt.candidate.account.id
      this.#failed = { account, type: attemptErrorType(outcome, attempt) }
    }
    this.#endAttempt(attempt, outcome)
  }

  /** Ends the spans of attempts, after the last byte. Later calls have no effect. */
  close(): void {
    if (this.#closedAt !== undefined) return
    this.#closedAt = performance.now()
    for (const span of this.#attempts) span.end(undefined)
  }

  /** Closes the trace, and ends its other spans at the times when they ended. Later calls have no effect. */
  end(exchange: Ended, summary: Summary): void {
    this.close()
    if (this.#isEnded) return
    this.#isEnded = true
    const { receivedAt } = exchange
    const { durationMs } = summary
    this.#operation?.end(exchange, {
      summary,
      closedAt: this.#closedAt ?? receivedAt + durationMs,
      attempts: this.#sent,
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

  /** Starts the span of a request to an account. Returns the span that the account may learn of. */
  #beginAttempt(exchange: Routed, outbound: Outbound): SpanContext {
    const { detail } = this.#maker
    // A plugin sends the request of an attempt again: the first one was given up.
    this.#endAttempt(exchange.attempt, undefined)
    this.#sent++
    this.#exchange = exchange
    const operation = this.#operationOf(exchange)
    this.#noteFailover(exchange)
    const parent = operation?.span ?? this.#span
    if (detail === 'minimal') return parent.spanContext()
    const span = new AttemptSpan(this.#maker, parent, exchange, outbound)
    if (this.#isProbing) span.span.setAttribute('dragoman.circuit.state', 'half-open')
    this.#isProbing = false
    this.#attempts.push(span)
    return span.span.spanContext()
  }

  #endAttempt(attempt: Attempt, outcome: Outcome | undefined): void {
    const span = this.#spanOf(attempt)
    if (!span) return
    this.#attempts = this.#attempts.filter((one) => one !== span)
    span.end(outcome)
  }

  #operationOf(exchange: Routed): OperationSpan | undefined {
    if (this.#operation) return this.#operation
    const name = operationOf(exchange)
    if (!name) return undefined
    this.#content?.request(exchange)
    const { routed = performance.now() } = this.#times
    const parent = { span: this.#span, startedAt: routed }
    return (this.#operation = new OperationSpan(this.#maker, parent, exchange, name))
  }

  #noteFailover({ attempt, candidate: { account } }: Routed): void {
    const failed = this.#failed
    // The requests of a look-up are no attempts of the same call.
    if (!failed || attempt.number === 1) return
    this.#failed = undefined
    ;(this.#operation?.span ?? this.#span).addEvent(
      'dragoman.failover',
      {
        'dragoman.failover.from': failed.account,
        'dragoman.failover.to': account.id,
        ...(failed.type && { 'dragoman.failover.reason': failed.type }),
      },
      this.#maker.clock(performance.now()),
    )
  }

  #spanOf(attempt: object): AttemptSpan | undefined {
    return this.#attempts.find((one) => one.attempt === attempt)
  }
}

function addBinding(span: Span, { ttlMs, isWritten }: BoundResult): void {
  span.setAttribute('dragoman.binding.written', isWritten)
  span.setAttribute('dragoman.binding.ttl', ttlMs / 1_000)
  if (!isWritten) span.setStatus({ code: SpanStatusCode.ERROR })
}
