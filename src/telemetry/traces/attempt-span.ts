import type { Attributes } from '@opentelemetry/api'
import type { IncomingHttpHeaders } from 'node:http'

import type { Outbound } from '../../contract/outbound.ts'
import type { Attempt, Routed } from '../../contract/exchange.ts'
import type { Outcome } from '../../contract/outcome.ts'
import { rootOf } from '../../kit/account-path.ts'
import { type ErrorType, attemptErrorType } from '../error-types.ts'
import type { EndedSpan } from './maker.ts'
import { addressOf, spanText, urlOf } from './names.ts'

/** Headers in which providers name a request, the commonest first. */
const requestIds = [
  'x-request-id',
  'request-id',
  'x-goog-request-id',
  'apim-request-id',
  'x-amzn-requestid',
] as const

/** An account that failed, and why. */
export interface FailedAttempt {
  readonly account: string
  readonly type: ErrorType | undefined
}

/** The facts about a request at the time that it is sent. */
interface Sent {
  /** Whether the circuit of the account is half-open. */
  readonly isProbe: boolean
  /** The failed attempt that it follows. */
  readonly failover: FailedAttempt | undefined
}

/**
 * One request to an account. While the call goes on this only notes events and their times. The span is made after
 * the end of the call.
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

  /** The span of an attempt that is settled. */
  ended(): EndedSpan {
    const { startedAt } = this
    const errorType = this.#outcome && attemptErrorType(this.#outcome, this.attempt)
    return {
      name: this.#method,
      isClient: true,
      startedAt,
      endedAt: this.#endedAt ?? startedAt,
      attributes: this.#attributes(errorType),
      isError: errorType !== undefined,
    }
  }

  #attributes(errorType: string | undefined): Attributes {
    const { attempt } = this
    const { candidate, number, peer } = attempt
    const { account, dialect } = candidate
    const origin = this.#origin
    const isForeign = origin !== rootOf(account, dialect).origin
    return {
      'http.request.method': this.#method,
      'network.protocol.version': '1.1',
      ...addressOf(origin),
      // A file may be at a signed URL of another host, whose path can be secret too.
      'url.full': isForeign ? origin : this.#clean(urlOf(origin, this.#path)),
      'dragoman.account.id': account.id,
      'http.request.body.size': this.#bodyBytes,
      'http.request.resend_count': number > 1 ? number - 1 : undefined,
      'dragoman.circuit.state': this.#isProbe ? 'half-open' : 'closed',
      'http.response.status_code': this.#status,
      'dragoman.upstream.request_id': this.#requestId(),
      'dragoman.attempt.outcome': this.#outcome?.status ?? 'cancelled',
      'network.peer.address': peer?.address,
      'network.peer.port': peer?.port,
      'error.type': errorType,
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
