import { type Attributes, diag } from '@opentelemetry/api'
import { getNumberFromEnv, getStringFromEnv, getStringListFromEnv } from '@opentelemetry/core'
import {
  type Resource,
  type ResourceDetector,
  defaultResource,
  detectResources,
  hostDetector,
  osDetector,
  processDetector,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  type BatchSpanProcessorOptions,
  ParentBasedSampler,
  type Sampler,
  type SpanLimits,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'

/**
 * The process detector without the command line, which may have secrets. `OTEL_RESOURCE_ATTRIBUTES` can add
 * it.
 */
const quietProcessDetector: ResourceDetector = {
  detect(config) {
    const { attributes = {} } = processDetector.detect(config)
    const shown = Object.entries(attributes).filter(([name]) => !name.startsWith('process.command'))
    return { attributes: Object.fromEntries(shown) }
  },
}

const detectors: Readonly<Record<string, readonly ResourceDetector[]>> = {
  service: [serviceNameEnvDetector],
  host: [hostDetector, osDetector],
  process: [quietProcessDetector],
}

/** The resource, by `OTEL_NODE_RESOURCE_DETECTORS`, `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES`. */
export function resourceFromEnv(own: Attributes): Resource {
  const wanted = getStringListFromEnv('OTEL_NODE_RESOURCE_DETECTORS') ?? []
  const isAll = wanted.length === 0 || wanted.includes('all')
  const names = wanted.includes('none') ? [] : isAll ? Object.keys(detectors) : wanted
  const found = names.flatMap((name) => {
    if (!detectors[name]) diag.warn(`unknown resource detector "${name}"`)
    return detectors[name] ?? []
  })
  const name = names.includes('service') ? getStringFromEnv('OTEL_SERVICE_NAME') : undefined
  return defaultResource()
    .merge(resourceFromAttributes(own))
    .merge(detectResources({ detectors: found }))
    .merge(detectResources({ detectors: [resourceAttributesEnvDetector] }))
    .merge(resourceFromAttributes(name === undefined ? {} : { 'service.name': name }))
}

/** What decides about traces. */
export interface Sampling {
  readonly sampler: Sampler
  /** The part of the new traces that are sampled, if `sampler` decides about them by their ids. */
  readonly rootRatio?: number | undefined
}

/** The sampler, by `OTEL_TRACES_SAMPLER`; without it that of the configuration: by parent and ratio. */
export function samplingFromEnv(sample: number): Sampling {
  const byParent = (root: Sampler): Sampler => new ParentBasedSampler({ root })
  const byRatio = (rootRatio: number, wrap = byParent): Sampling => ({
    sampler: wrap(new TraceIdRatioBasedSampler(rootRatio)),
    rootRatio,
  })
  const name = getStringFromEnv('OTEL_TRACES_SAMPLER')
  switch (name) {
    case 'always_on':
      return { sampler: new AlwaysOnSampler() }
    case 'always_off':
      return { sampler: new AlwaysOffSampler() }
    case 'parentbased_always_on':
      return { sampler: byParent(new AlwaysOnSampler()) }
    case 'parentbased_always_off':
      return { sampler: byParent(new AlwaysOffSampler()) }
    case 'traceidratio':
      return byRatio(ratioFromEnv(), (root) => root)
    case 'parentbased_traceidratio':
      return byRatio(ratioFromEnv())
    default:
      if (name !== undefined) diag.error(`unknown OTEL_TRACES_SAMPLER "${name}"`)
      return byRatio(sample)
  }
}

function ratioFromEnv(): number {
  const ratio = getNumberFromEnv('OTEL_TRACES_SAMPLER_ARG')
  if (ratio !== undefined && ratio >= 0 && ratio <= 1) return ratio
  diag.error('OTEL_TRACES_SAMPLER_ARG is no number from 0 to 1: 1 applies')
  return 1
}

/** The limits of spans, as the SDK reads them. */
export function spanLimitsFromEnv(): SpanLimits {
  const first = (...names: readonly string[]) =>
    names.map((name) => getNumberFromEnv(name)).find((value) => value !== undefined)
  return defined({
    attributeCountLimit: first('OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT', 'OTEL_ATTRIBUTE_COUNT_LIMIT'),
    attributeValueLengthLimit: first(
      'OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT',
      'OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT',
    ),
    eventCountLimit: first('OTEL_SPAN_EVENT_COUNT_LIMIT'),
    linkCountLimit: first('OTEL_SPAN_LINK_COUNT_LIMIT'),
    attributePerEventCountLimit: first(
      'OTEL_EVENT_ATTRIBUTE_COUNT_LIMIT',
      'OTEL_SPAN_ATTRIBUTE_PER_EVENT_COUNT_LIMIT',
    ),
    attributePerLinkCountLimit: first(
      'OTEL_LINK_ATTRIBUTE_COUNT_LIMIT',
      'OTEL_SPAN_ATTRIBUTE_PER_LINK_COUNT_LIMIT',
    ),
  })
}

/**
 * The batches of spans, by `OTEL_BSP_*`. The defaults are those for many calls a second: a longer queue takes
 * a burst. The delay is that of a batch which is not full: of full ones each follows the one before at once.
 */
export function batchesFromEnv() {
  const positive = (name: string) => {
    const value = getNumberFromEnv(name)
    return value !== undefined && value > 0 ? value : undefined
  }
  return {
    maxExportBatchSize: positive('OTEL_BSP_MAX_EXPORT_BATCH_SIZE') ?? 128,
    maxQueueSize: positive('OTEL_BSP_MAX_QUEUE_SIZE') ?? 8_192,
    scheduledDelayMillis: positive('OTEL_BSP_SCHEDULE_DELAY') ?? 2_000,
    exportTimeoutMillis: positive('OTEL_BSP_EXPORT_TIMEOUT') ?? 30_000,
  } satisfies Omit<BatchSpanProcessorOptions, 'exporter'>
}

function defined<T extends object>(values: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]?: NonNullable<T[K]> }
}
