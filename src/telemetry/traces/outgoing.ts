import {
  ROOT_CONTEXT,
  type SpanContext,
  type TextMapPropagator,
  defaultTextMapSetter,
  trace,
} from '@opentelemetry/api'

import type { Account } from '../../contract/account.ts'
import type { Outbound } from '../../contract/attempt.ts'

/**
 * Adds a span to a request, if its account takes part in traces: nothing else of the trace, no baggage. Without a
 * propagator no trace passes out.
 */
export function withSpan(
  outbound: Outbound,
  { propagate }: Pick<Account, 'propagate'>,
  span: SpanContext,
  propagator: TextMapPropagator | undefined,
): Outbound {
  if (propagate !== 'traceparent' || !propagator) return outbound
  const headers: Record<string, string> = {}
  // An own context, in which no baggage can be.
  const { traceId, spanId, traceFlags } = span
  const context = trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags })
  propagator.inject(context, headers, defaultTextMapSetter)
  return { ...outbound, headers: { ...outbound.headers, ...headers } }
}
