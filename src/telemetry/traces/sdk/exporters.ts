import { getStringFromEnv, getStringListFromEnv } from '@opentelemetry/core'
import {
  BatchSpanProcessor,
  ConsoleSpanExporter,
  SimpleSpanProcessor,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace'

import type { Log } from '../../../lib/log.ts'
import { type ConnectedCollector, collectorOf } from '../../collector.ts'
import { batchesFromEnv } from './environment.ts'
import { grpcUrl } from '../../grpc-address.ts'
import { breakable } from './exporter-breaker.ts'
import { createProtobufExporter, encodeAtEnd } from './protobuf-exporter.ts'
import { loadOptional } from './optional-package.ts'

/** The options of `processorsFromEnv`. */
interface ExporterOptions {
  readonly log: Log
  /** The address of the collector, where the environment has none. */
  readonly endpoint: string | undefined
}

/**
 * The processors of spans, by `OTEL_TRACES_EXPORTER` and `OTEL_EXPORTER_OTLP_*`. Rejects for a value that
 * the gateway does not know, or whose package is not installed.
 */
export async function processorsFromEnv(options: ExporterOptions): Promise<SpanProcessor[]> {
  const names = new Set(getStringListFromEnv('OTEL_TRACES_EXPORTER') ?? [])
  if (names.size === 0) names.add('otlp')
  const processors = await Promise.all([...names].map((name) => processorOf(name, options)))
  const [only, ...others] = processors
  const isEncodable = only && others.length === 0 && names.has('otlp') && protocol() === protobuf
  return isEncodable ? [encodeAtEnd(only)] : processors
}

async function processorOf(name: string, options: ExporterOptions): Promise<SpanProcessor> {
  if (name === 'console') return new SimpleSpanProcessor({ exporter: new ConsoleSpanExporter() })
  if (name !== 'otlp') throw new Error('OTEL_TRACES_EXPORTER: use otlp, console or none')
  // The exporters read the environment themselves, and options would go before it.
  const own = hasEndpoint() ? undefined : ownUrl(options)
  const collector = collectorOf('traces', protocol() === 'grpc' ? grpcTarget(own) : own)
  const exporter = breakable(await otlpExporter(own, collector), { ...options, collector })
  return new BatchSpanProcessor({ exporter, ...batchesFromEnv() })
}

const protobuf = 'http/protobuf'

const variables = ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL'] as const

/** The variable that decides on the protocol. */
function protocolVariable(): (typeof variables)[number] | undefined {
  return variables.find((name) => getStringFromEnv(name) !== undefined)
}

function protocol(): string {
  const variable = protocolVariable()
  return (variable && getStringFromEnv(variable)) ?? protobuf
}

/** Exports at the same time: all batches of a full queue, when the gateway ends, and the one on its way. */
function mostExports(): number {
  const { maxQueueSize, maxExportBatchSize } = batchesFromEnv()
  return Math.ceil(maxQueueSize / maxExportBatchSize) + 1
}

interface GrpcPackage {
  readonly OTLPTraceExporter: new (options: object) => SpanExporter
}

async function otlpExporter(
  url: string | undefined,
  { httpAgentOptions }: ConnectedCollector,
): Promise<SpanExporter> {
  const options = { concurrencyLimit: mostExports(), ...(url !== undefined && { url }) }
  switch (protocol()) {
    case protobuf:
      return createProtobufExporter({ ...options, httpAgentOptions })
    case 'http/json': {
      const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
      return new OTLPTraceExporter({ ...options, httpAgentOptions })
    }
    case 'grpc': {
      const grpc = await loadOptional('@opentelemetry/exporter-trace-otlp-grpc', '0.301.0')
      const { OTLPTraceExporter } = grpc as GrpcPackage
      return new OTLPTraceExporter(options)
    }
    default:
      throw new Error(`${protocolVariable()}: use http/protobuf, http/json or grpc`)
  }
}

function hasEndpoint(): boolean {
  return endpointFromEnv() !== undefined
}

function endpointFromEnv(): string | undefined {
  return (
    getStringFromEnv('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') ??
    getStringFromEnv('OTEL_EXPORTER_OTLP_ENDPOINT')
  )
}

/** Where the exporter of gRPC sends: its addresses differ from those of HTTP, which the collector reads otherwise. */
function grpcTarget(own: string | undefined): string | undefined {
  const address = own ?? endpointFromEnv()
  return address && grpcUrl(address)
}

/** The address for spans where the environment has none; `undefined` for that of the SDK. */
function ownUrl({ endpoint }: ExporterOptions): string | undefined {
  if (protocol() === 'grpc') return endpoint ?? 'http://localhost:4317'
  return endpoint && `${endpoint.replace(/\/+$/, '')}/v1/traces`
}
