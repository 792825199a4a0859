import { getStringFromEnv, getStringListFromEnv } from '@opentelemetry/core'
import type { OTLPExporterNodeConfigBase } from '@opentelemetry/otlp-exporter-base/node-http'
import {
  BatchSpanProcessor,
  ConsoleSpanExporter,
  SimpleSpanProcessor,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace'

import type { Log } from '../../../lib/log.ts'
import { collectorOf, httpProtocolOf } from '../../collector.ts'
import { batchesFromEnv } from './environment.ts'
import { breakable } from './exporter-breaker.ts'

/** The options of `processorsFromEnv`. */
interface ExporterOptions {
  readonly log: Log
  /** The address of the collector, for an environment without one. */
  readonly endpoint: string | undefined
}

/**
 * The processors of spans, by `OTEL_TRACES_EXPORTER` and `OTEL_EXPORTER_OTLP_*`. Rejects for a value that
 * the gateway does not know.
 */
export async function processorsFromEnv(options: ExporterOptions): Promise<SpanProcessor[]> {
  const names = new Set(getStringListFromEnv('OTEL_TRACES_EXPORTER') ?? [])
  if (names.size === 0) names.add('otlp')
  return await Promise.all([...names].map((name) => processorOf(name, options)))
}

async function processorOf(name: string, { log, endpoint }: ExporterOptions) {
  if (name === 'console') return new SimpleSpanProcessor({ exporter: new ConsoleSpanExporter() })
  if (name !== 'otlp') throw new Error('OTEL_TRACES_EXPORTER: use otlp, console or none')
  // The exporters read the environment themselves, and a URL in their options would go before it.
  const url = hasEndpoint() || !endpoint ? undefined : `${endpoint.replace(/\/+$/, '')}/v1/traces`
  const collector = collectorOf('traces', url)
  const { httpAgentOptions } = collector
  const batches = batchesFromEnv()
  // When the gateway ends, all batches of a full queue go out beside the one on its way.
  const concurrencyLimit = Math.ceil(batches.maxQueueSize / batches.maxExportBatchSize) + 1
  const options = { httpAgentOptions, concurrencyLimit, ...(url !== undefined && { url }) }
  const exporter = breakable(await otlpExporter(options), { log, collector })
  return new BatchSpanProcessor({ exporter, ...batches })
}

async function otlpExporter(options: OTLPExporterNodeConfigBase): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    httpProtocolOf('TRACES', process.env) === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto')
  return new OTLPTraceExporter(options)
}

function hasEndpoint(): boolean {
  const names = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT']
  return names.some((name) => getStringFromEnv(name) !== undefined)
}
