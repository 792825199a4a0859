import { SpanKind, SpanStatusCode, type Attributes, type Span } from '@opentelemetry/api'
import type { IncomingHttpHeaders } from 'node:http'

import type { Outbound } from '../../contract/attempt.ts'
import type { Attempt, Routed } from '../../contract/exchange.ts'
import type { Outcome } from '../../contract/outcome.ts'
import { attemptErrorType } from '../error-types.ts'
import type { Maker } from './maker.ts'
import { addressOf, spanText, urlOf } from './names.ts'

/** Headers in which providers name a request, the commonest first. */
const requestIds = ['x-request-id', 'request-id', 'x-goog-request-id', 'apim-request-id'] as const

/** An account that failed, and why. */
export interface FailedAttempt {
  readonly account: string
  readonly type: string | undefined
}

/** What is known of a request when it is sent. */
interface Sent {
  readonly isProbe: boolean
  /** The failed attempt that it follows. */
  readonly failover: FailedAttempt | undefined
}

/**
 * One request to an account. While the call goes on this notes only what happens and when: the span is made
 * after its end, with those of other calls, since code that few calls run is slow beside theirs. An account
 * that is to learn of its span has it made early.
 */
export class AttemptSpan {
  readonly exchange: Routed
  readonly attempt: Attempt
  readonly failover: FailedAttempt | undefined
  /** `performance.now()`. */
  readonly startedAt = performance.now()
  readonly #isProbe: boolean
  readonly #method: string
  readonly #origin: string
  readonly #path: string
  readonly #bodyBytes: number | undefined
  #status: number | undefined
  #headers: IncomingHttpHeaders | undefined
  #outcome: Outcome | undefined
  #endedAt: number | undefined
  #span: Span | undefined

  constructor(exchange: Routed, outbound: Outbound, { isProbe, failover }: Sent) {
    this.exchange = exchange
    this.attempt = exchange.attempt
    this.failover = failover
    this.#isProbe = isProbe
    // Not the whole request, whose body would stay in memory.
    this.#method = outbound.method
    this.#origin = outbound.origin
    this.#path = outbound.path
    this.#bodyBytes = outbound.body?.length
  }

  get isOpen(): boolean {
    return this.#endedAt === undefined
  }

  /** Notes the head of the account's reply. */
  answered(status: number, headers: IncomingHttpHeaders): void {
    this.#status = status
    this.#headers = headers
  }

  /**
   * Notes the end of the attempt and its outcome; without one, the attempt was given up. Later ends have no
   * effect.
   */
  settle(outcome: Outcome | undefined): void {
    if (!this.isOpen) return
    this.#endedAt = performance.now()
    this.#outcome = outcome
  }

  /** Starts the span, if it has not been started. */
  start({ startChild, clock }: Maker, parent: Span): Span {
    return (this.#span ??= startChild(
      this.#method,
      {
        kind: SpanKind.CLIENT,
        startTime: clock(this.startedAt),
        attributes: this.#requestAttributes(),
      },
      parent,
    ))
  }

  /** Ends the span of an attempt that is settled. */
  end(maker: Maker, parent: Span): void {
    const span = this.start(maker, parent)
    const { peer } = this.attempt
    const type = this.#outcome && attemptErrorType(this.#outcome, this.attempt)
    span.setAttributes({
      'http.response.status_code': this.#status,
      'dragoman.upstream.request_id': this.#requestId(),
      'dragoman.attempt.outcome': this.#outcome?.status ?? 'cancelled',
      'network.peer.address': peer?.address,
      'network.peer.port': peer?.port,
      'error.type': type,
    })
    if (type) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(maker.clock(this.#endedAt ?? this.startedAt))
  }

  #requestAttributes(): Attributes {
    const { attempt } = this
    const { account } = attempt.candidate
    const origin = this.#origin
    return {
      'http.request.method': this.#method,
      'network.protocol.version': '1.1',
      ...addressOf(origin),
      // A file may be at a signed URL of another host, whose path can be secret too.
      'url.full': origin === account.origin ? this.#clean(urlOf(origin, this.#path)) : origin,
      'dragoman.account.id': account.id,
      'http.request.body.size': this.#bodyBytes,
      'http.request.resend_count': attempt.number > 1 ? attempt.number - 1 : undefined,
      'dragoman.circuit.state': this.#isProbe ? 'half-open' : 'closed',
    }
  }

  #requestId(): string | undefined {
    for (const name of requestIds) {
      const id = this.#headers?.[name]
      if (typeof id === 'string') return this.#clean(id)
    }
    return undefined
  }

  /** Other attempts may have followed, at accounts with other secrets. */
  #clean(text: string): string {
    const { attempt } = this
    return spanText(text, { credential: this.exchange.credential, progress: { attempt } })
  }
}
