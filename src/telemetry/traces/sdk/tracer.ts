import {
  type Context,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  SamplingDecision,
  TraceFlags,
  type Tracer,
  isSpanContextValid,
  trace,
} from '@opentelemetry/api'
import type { Sampler } from '@opentelemetry/sdk-trace'

import { newSpanId, newTraceId } from './ids.ts'
import { RecordedSpan, type SpanCommon } from './recorded-span.ts'

/** The options of `createTracer`. */
interface TracerOptions extends SpanCommon {
  readonly sampler: Sampler
}

/** Makes spans. A sampler decides about the first span of a trace in this process, and so about those below it. */
export function createTracer({ sampler, ...common }: TracerOptions): Pick<Tracer, 'startSpan'> {
  function startSpan(name: string, options: SpanOptions = {}, context: Context): Span {
    const above = trace.getSpan(context)
    const {
      kind = SpanKind.INTERNAL,
      startTime = Date.now(),
      attributes = {},
      links = [],
    } = options
    const begin = (own: SpanContext, parent: SpanContext | undefined) =>
      new RecordedSpan(common, {
        name,
        kind,
        context: own,
        parent,
        startTime: Number(startTime),
        attributes,
        links,
      })
    if (above instanceof RecordedSpan) {
      const parent = above.spanContext()
      return begin({ ...parent, spanId: newSpanId() }, parent)
    }
    const given = above?.spanContext()
    const parent = given && isSpanContextValid(given) ? given : undefined
    const traceId = parent?.traceId ?? newTraceId()
    const sampled = sampler.shouldSample(context, traceId, name, kind, attributes, links)
    const traceState = sampled.traceState ?? parent?.traceState
    const own = {
      traceId,
      spanId: newSpanId(),
      traceFlags: TraceFlags.NONE,
      ...(traceState && { traceState }),
    }
    if (sampled.decision !== SamplingDecision.RECORD_AND_SAMPLED) return trace.wrapSpanContext(own)
    return begin({ ...own, traceFlags: TraceFlags.SAMPLED }, parent)
  }

  return { startSpan }
}
