import type { SpanContext } from '@opentelemetry/api'

import type { ExchangeTrace } from '../../contract/trace.ts'
import { writeTraceparent } from '../../lib/traceparent.ts'

/** A trace without spans: only its ids are known, for logs, replies and records. */
export class UnsampledTrace implements ExchangeTrace {
  readonly context: SpanContext

  constructor(context: SpanContext) {
    this.context = context
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

  reached(): void {}
  linkTo(): void {}
  probing(): void {}
  answered(): void {}
  readsStore(): void {}
  recording(): void {}
  bound(): void {}
}
