import { type TextMapPropagator, diag } from '@opentelemetry/api'
import {
  W3CTraceContextPropagator,
  getNumberFromEnv,
  getStringFromEnv,
  getStringListFromEnv,
} from '@opentelemetry/core'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  type BatchSpanProcessorOptions,
  ParentBasedSampler,
  type Sampler,
  type SpanLimits,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'

import { defined } from '../../../lib/json/object.ts'

/** The sampler, by `OTEL_TRACES_SAMPLER`. Default: by the parent, otherwise the ratio `sample` of the new traces. */
export function samplerFromEnv(sample: number): Sampler {
  const byParent = (root: Sampler) => new ParentBasedSampler({ root })
  const name = getStringFromEnv('OTEL_TRACES_SAMPLER')
  switch (name) {
    case 'always_on':
      return new AlwaysOnSampler()
    case 'always_off':
      return new AlwaysOffSampler()
    case 'parentbased_always_on':
      return byParent(new AlwaysOnSampler())
    case 'parentbased_always_off':
      return byParent(new AlwaysOffSampler())
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratioFromEnv())
    case 'parentbased_traceidratio':
      return byParent(new TraceIdRatioBasedSampler(ratioFromEnv()))
    default:
      if (name !== undefined) diag.error(`unknown OTEL_TRACES_SAMPLER "${name}"`)
      return byParent(new TraceIdRatioBasedSampler(sample))
  }
}

function ratioFromEnv(): number {
  const ratio = getNumberFromEnv('OTEL_TRACES_SAMPLER_ARG')
  if (ratio !== undefined && ratio >= 0 && ratio <= 1) return ratio
  diag.error('OTEL_TRACES_SAMPLER_ARG is no number from 0 to 1: 1 applies')
  return 1
}

/** The limits of spans, by `OTEL_SPAN_*`, `OTEL_ATTRIBUTE_*`, `OTEL_EVENT_*` and `OTEL_LINK_*`. */
export function spanLimitsFromEnv(): SpanLimits {
  const number = (...names: readonly string[]) =>
    names.map((name) => getNumberFromEnv(`OTEL_${name}_LIMIT`)).find((value) => value !== undefined)
  return defined({
    attributeCountLimit: number('SPAN_ATTRIBUTE_COUNT', 'ATTRIBUTE_COUNT'),
    attributeValueLengthLimit: number('SPAN_ATTRIBUTE_VALUE_LENGTH', 'ATTRIBUTE_VALUE_LENGTH'),
    eventCountLimit: number('SPAN_EVENT_COUNT'),
    linkCountLimit: number('SPAN_LINK_COUNT'),
    attributePerEventCountLimit: number('EVENT_ATTRIBUTE_COUNT', 'SPAN_ATTRIBUTE_PER_EVENT_COUNT'),
    attributePerLinkCountLimit: number('LINK_ATTRIBUTE_COUNT', 'SPAN_ATTRIBUTE_PER_LINK_COUNT'),
  })
}

/**
 * The batches of spans, by `OTEL_BSP_*`. The defaults suit many calls a second: a longer queue takes a burst.
 * The delay applies to a batch that is not full; full ones follow each other at once.
 */
export function batchesFromEnv() {
  const positive = (name: string) => {
    const value = getNumberFromEnv(`OTEL_BSP_${name}`)
    return value !== undefined && value > 0 ? value : undefined
  }
  return {
    maxExportBatchSize: positive('MAX_EXPORT_BATCH_SIZE') ?? 128,
    maxQueueSize: positive('MAX_QUEUE_SIZE') ?? 8_192,
    scheduledDelayMillis: positive('SCHEDULE_DELAY') ?? 2_000,
    exportTimeoutMillis: positive('EXPORT_TIMEOUT') ?? 30_000,
  } satisfies Omit<BatchSpanProcessorOptions, 'exporter'>
}

const knownPropagators = ['tracecontext', 'baggage', 'none']

/**
 * The reader of clients' traces, by `OTEL_PROPAGATORS`; `undefined` for `none`. Baggage is never read. Throws for a
 * name that the gateway does not know.
 */
export function propagatorFromEnv(): TextMapPropagator | undefined {
  const wanted = getStringListFromEnv('OTEL_PROPAGATORS') ?? []
  if (wanted.some((name) => !knownPropagators.includes(name)))
    throw new Error(`OTEL_PROPAGATORS: use ${knownPropagators.join(', ')}`)
  const isRead = wanted.length === 0 || wanted.includes('tracecontext')
  return isRead && !wanted.includes('none') ? new W3CTraceContextPropagator() : undefined
}
