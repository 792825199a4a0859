import {
  type Context,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  TraceFlags,
  isSpanContextValid,
  trace,
} from '@opentelemetry/api'
import { SamplingDecision } from '@opentelemetry/sdk-trace'

import type { Tracing } from '../plugin.ts'
import type { Sampling } from './environment.ts'
import { newRoot, newSpanId } from './ids.ts'
import { RecordedSpan, type SpanCommon } from './recorded-span.ts'

/** The options of `createTracer`. */
interface TracerOptions extends SpanCommon, Sampling {}

/** The traces that `TraceIdRatioBasedSampler` samples have a value below this. */
function boundOf(ratio: number): number {
  return ratio === 1 ? 2 ** 32 : Math.floor(ratio * (2 ** 32 - 1))
}

/**
 * Creates a tracer that makes no span of an unsampled trace. The sampler decides about the first span of a trace in
 * this process, and by that about the spans below it.
 */
export function createTracer({
  sampler,
  rootRatio,
  ...common
}: TracerOptions): Pick<Tracing, 'begin' | 'startChild'> {
  const bound = rootRatio === undefined ? undefined : boundOf(rootRatio)

  function contextOf(name: string, above: Context, parent: SpanContext | undefined): SpanContext {
    if (!parent && bound !== undefined) return rootBelow(bound)
    const { traceId, spanId } = parent ? { ...parent, spanId: newSpanId() } : newRoot()
    const sampled = sampler.shouldSample(above, traceId, name, SpanKind.SERVER, {}, [])
    const isSampled = sampled.decision === SamplingDecision.RECORD_AND_SAMPLED
    const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE
    const traceState = sampled.traceState ?? parent?.traceState
    return traceState
      ? { traceId, spanId, traceFlags, traceState }
      : { traceId, spanId, traceFlags }
  }

  return {
    begin(name, options, above) {
      const parent = above === ROOT_CONTEXT ? undefined : remoteIn(above)
      const context = contextOf(name, above, parent)
      return context.traceFlags & TraceFlags.SAMPLED
        ? new RecordedSpan(common, name, options(), { parent, context })
        : context
    },
    startChild(name, options, above) {
      const parent = above.spanContext()
      const { traceId, traceFlags, traceState } = parent
      const spanId = newSpanId()
      const context = traceState
        ? { traceId, spanId, traceFlags, traceState }
        : { traceId, spanId, traceFlags }
      return new RecordedSpan(common, name, options, { parent, context })
    },
  }
}

/** A new trace, sampled as `TraceIdRatioBasedSampler` decides, which would read the id's digits for that. */
function rootBelow(bound: number): SpanContext {
  const { traceId, spanId, sampled } = newRoot()
  return { traceId, spanId, traceFlags: sampled < bound ? TraceFlags.SAMPLED : TraceFlags.NONE }
}

/** The span of the client that a trace goes on from. */
function remoteIn(above: Context): SpanContext | undefined {
  const context = trace.getSpanContext(above)
  return context && isSpanContextValid(context) ? context : undefined
}
