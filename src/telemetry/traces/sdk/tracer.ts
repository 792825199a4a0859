import {
  type Context,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  TraceFlags,
  type Tracer,
  isSpanContextValid,
  trace,
} from '@opentelemetry/api'
import { type Sampler, SamplingDecision } from '@opentelemetry/sdk-trace'

import { newSpanId, newTraceId } from './ids.ts'
import { RecordedSpan, type SpanCommon } from './recorded-span.ts'

/** The options of `createTracer`. */
interface TracerOptions extends SpanCommon {
  readonly sampler: Sampler
}

/**
 * Creates what makes spans. The sampler decides about the first span of a trace in this process, and by that about
 * the spans below it.
 */
export function createTracer({ sampler, ...common }: TracerOptions): Pick<Tracer, 'startSpan'> {
  const contextOf = (name: string, options: SpanOptions, above: Context): SpanContext => {
    const { kind = SpanKind.INTERNAL, attributes = {}, links = [] } = options
    const parent = remoteIn(above)
    const traceId = parent?.traceId ?? newTraceId()
    const sampled = sampler.shouldSample(above, traceId, name, kind, attributes, links)
    const isSampled = sampled.decision === SamplingDecision.RECORD_AND_SAMPLED
    const traceState = sampled.traceState ?? parent?.traceState
    return {
      traceId,
      spanId: newSpanId(),
      traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
      ...(traceState && { traceState }),
    }
  }

  return {
    startSpan(name: string, options: SpanOptions = {}, above: Context): Span {
      const span = trace.getSpan(above)
      if (span instanceof RecordedSpan) {
        const parent = span.spanContext()
        return new RecordedSpan(common, name, options, {
          parent,
          context: { ...parent, spanId: newSpanId() },
        })
      }
      const context = contextOf(name, options, above)
      return context.traceFlags & TraceFlags.SAMPLED
        ? new RecordedSpan(common, name, options, { parent: remoteIn(above), context })
        : trace.wrapSpanContext(context)
    },
  }
}

/** The span of the client that a trace goes on from. */
function remoteIn(above: Context): SpanContext | undefined {
  const context = trace.getSpanContext(above)
  return context && isSpanContextValid(context) ? context : undefined
}
