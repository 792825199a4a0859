import {
  ROOT_CONTEXT,
  type SpanContext,
  type TextMapPropagator,
  defaultTextMapSetter,
  trace,
} from '@opentelemetry/api'

import type { Account } from '../../contract/account.ts'
import type { Outbound } from '../../contract/attempt.ts'

/** Whether an account takes part in traces. Without a propagator no trace passes out. */
export function learnsOfSpans(
  { propagate }: Pick<Account, 'propagate'>,
  propagator: TextMapPropagator | undefined,
): propagator is TextMapPropagator {
  return propagate === 'traceparent' && propagator !== undefined
}

/** Adds a span to a request: nothing else of the trace, no baggage. */
export function withSpan(
  outbound: Outbound,
  span: SpanContext,
  propagator: TextMapPropagator,
): Outbound {
  const headers: Record<string, string> = {}
  // An own context, in which no baggage can be.
  const { traceId, spanId, traceFlags } = span
  const context = trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags })
  propagator.inject(context, headers, defaultTextMapSetter)
  return { ...outbound, headers: { ...outbound.headers, ...headers } }
}
