import type { SpanContext, TextMapPropagator } from '@opentelemetry/api'

import type { Outbound } from '../../contract/attempt.ts'
import type { Routed } from '../../contract/exchange.ts'
import type { ExchangeTrace } from '../../contract/trace.ts'
import { writeTraceparent } from '../../lib/traceparent.ts'
import { learnsOfSpans, withSpan } from './outgoing.ts'

/** A trace without spans: only its ids are known, for logs, replies and records. */
export class UnsampledTrace implements ExchangeTrace<Routed> {
  readonly context: SpanContext
  readonly #propagator: TextMapPropagator | undefined

  /** Without `propagator` no trace passes out. */
  constructor(context: SpanContext, propagator: TextMapPropagator | undefined) {
    this.context = context
    this.#propagator = propagator
  }

  get traceId(): string {
    return this.context.traceId
  }

  get spanId(): string {
    return this.context.spanId
  }

  get traceparent(): string {
    return writeTraceparent({ ...this.context, flags: this.context.traceFlags })
  }

  sending({ candidate: { account } }: Routed, outbound: Outbound): Outbound {
    const propagator = this.#propagator
    return learnsOfSpans(account, propagator)
      ? withSpan(outbound, this.context, propagator)
      : outbound
  }

  reached(): void {}
  settled(): void {}
  linkTo(): void {}
  probing(): void {}
  answered(): void {}
  readsStore(): void {}
  recording(): void {}
  bound(): void {}
}
