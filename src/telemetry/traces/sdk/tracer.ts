import {
  type Context,
  ROOT_CONTEXT,
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

/** A tracer that makes no span of an unsampled trace. */
interface OwnTracer extends Pick<Tracer, 'startSpan'> {
  /** Begins the first span of a trace in this process. Returns only its context if the trace is unsampled. */
  begin(name: string, options: () => SpanOptions, above: Context): Span | SpanContext
}

/**
 * Creates a tracer. The sampler decides about the first span of a trace in this process, and by that about the spans
 * below it.
 */
export function createTracer({ sampler, ...common }: TracerOptions): OwnTracer {
  function contextOf(name: string, above: Context, parent: SpanContext | undefined): SpanContext {
    const traceId = parent?.traceId ?? newTraceId()
    const sampled = sampler.shouldSample(above, traceId, name, SpanKind.SERVER, {}, [])
    const isSampled = sampled.decision === SamplingDecision.RECORD_AND_SAMPLED
    const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE
    const context = { traceId, spanId: newSpanId(), traceFlags }
    const traceState = sampled.traceState ?? parent?.traceState
    return traceState ? { ...context, traceState } : context
  }

  function begin(name: string, options: () => SpanOptions, above: Context): Span | SpanContext {
    const parent = above === ROOT_CONTEXT ? undefined : remoteIn(above)
    const context = contextOf(name, above, parent)
    return context.traceFlags & TraceFlags.SAMPLED
      ? new RecordedSpan(common, name, options(), { parent, context })
      : context
  }

  return {
    begin,
    startSpan(name: string, options: SpanOptions = {}, above: Context): Span {
      const span = trace.getSpan(above)
      if (span instanceof RecordedSpan) {
        const parent = span.spanContext()
        const context = { ...parent, spanId: newSpanId() }
        return new RecordedSpan(common, name, options, { parent, context })
      }
      const begun = begin(name, () => options, above)
      return 'spanContext' in begun ? begun : trace.wrapSpanContext(begun)
    },
  }
}

/** The span of the client that a trace goes on from. */
function remoteIn(above: Context): SpanContext | undefined {
  const context = trace.getSpanContext(above)
  return context && isSpanContextValid(context) ? context : undefined
}
