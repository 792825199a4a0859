import { SpanKind, SpanStatusCode, type Attributes, type Span } from '@opentelemetry/api'
import type { IncomingHttpHeaders } from 'node:http'

import type { Outbound } from '../../contract/attempt.ts'
import type { Attempt, Routed } from '../../contract/exchange.ts'
import type { Outcome } from '../../contract/outcome.ts'
import { attemptErrorType } from '../error-types.ts'
import type { Clock } from './clock.ts'
import type { Maker } from './maker.ts'
import { addressOf, cleanText, urlOf } from './names.ts'

/** Headers in which providers name a request, the commonest first. */
const requestIds = ['x-request-id', 'request-id', 'x-goog-request-id', 'apim-request-id'] as const

/** The span of one request to an account. It ends once. */
export class AttemptSpan {
  readonly span: Span
  readonly attempt: Attempt
  readonly #exchange: Routed
  readonly #clock: Clock
  #isOpen = true

  constructor({ startChild, clock }: Maker, parent: Span, exchange: Routed, outbound: Outbound) {
    const { attempt } = exchange
    this.attempt = attempt
    this.#exchange = exchange
    this.#clock = clock
    this.span = startChild(
      outbound.method,
      {
        kind: SpanKind.CLIENT,
        startTime: clock(performance.now()),
        attributes: requestAttributes(exchange, outbound),
      },
      parent,
    )
  }

  /** Notes the head of the account's reply. */
  answered(status: number, headers: IncomingHttpHeaders): void {
    if (!this.#isOpen) return
    this.span.setAttribute('http.response.status_code', status)
    for (const name of requestIds) {
      const id = headers[name]
      if (typeof id !== 'string') continue
      this.span.setAttribute('dragoman.upstream.request_id', cleanText(id, this.#exchange))
      return
    }
  }

  /** Ends the span with the outcome of the attempt; without one, the attempt was given up. */
  end(outcome: Outcome | undefined): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    const type = outcome && attemptErrorType(outcome, this.attempt)
    const ended = outcome?.status ?? 'cancelled'
    this.span.setAttribute('dragoman.attempt.outcome', ended)
    const { peer } = this.attempt
    if (peer) {
      this.span.setAttribute('network.peer.address', peer.address)
      this.span.setAttribute('network.peer.port', peer.port)
    }
    if (type) {
      this.span.setAttribute('error.type', type)
      this.span.setStatus({ code: SpanStatusCode.ERROR })
    }
    this.span.end(this.#clock(performance.now()))
  }
}

function requestAttributes(exchange: Routed, { method, origin, path, body }: Outbound): Attributes {
  const { attempt } = exchange
  const { account } = attempt.candidate
  return {
    'http.request.method': method,
    'network.protocol.version': '1.1',
    ...addressOf(origin),
    // A file may be at a signed URL of another host, whose path can be secret too.
    'url.full': origin === account.origin ? cleanText(urlOf(origin, path), exchange) : origin,
    'dragoman.account.id': account.id,
    'http.request.body.size': body?.length,
    'http.request.resend_count': attempt.number > 1 ? attempt.number - 1 : undefined,
  }
}
