import {
  ROOT_CONTEXT,
  type SpanContext,
  type TextMapPropagator,
  defaultTextMapSetter,
  trace,
} from '@opentelemetry/api'

import type { Outbound } from '../../contract/attempt.ts'

/** Adds a span to a request to an account that takes part in traces: nothing else of the trace, no baggage. */
export function withSpan(
  outbound: Outbound,
  span: SpanContext,
  propagator: TextMapPropagator | undefined,
): Outbound {
  if (!propagator) return outbound
  const headers: Record<string, string> = {}
  // An own context, in which no baggage can be.
  const { traceId, spanId, traceFlags } = span
  const context = trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags })
  propagator.inject(context, headers, defaultTextMapSetter)
  return { ...outbound, headers: { ...outbound.headers, ...headers } }
}
