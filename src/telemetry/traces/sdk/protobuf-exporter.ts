import { OTLPExporterBase } from '@opentelemetry/otlp-exporter-base'
import {
  type OTLPExporterNodeConfigBase,
  convertLegacyHttpOptions,
  createOtlpHttpExportDelegate,
} from '@opentelemetry/otlp-exporter-base/node-http'
import {
  ProtobufTraceSerializer,
  TraceExporterMetricsHelper,
} from '@opentelemetry/otlp-transformer'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'

import { serializeSpans } from './serialize-spans.ts'

/**
 * Creates the exporter of `@opentelemetry/exporter-trace-otlp-proto`, with the same environment, transport
 * and retries, but a faster serializer.
 */
export function createProtobufExporter(options: OTLPExporterNodeConfigBase): SpanExporter {
  const headers = { 'Content-Type': 'application/x-protobuf' }
  const serializer: typeof ProtobufTraceSerializer = {
    ...ProtobufTraceSerializer,
    serializeRequest: (spans) =>
      serializeSpans(spans) ?? ProtobufTraceSerializer.serializeRequest(spans),
  }
  return new OTLPExporterBase<ReadableSpan[]>(
    createOtlpHttpExportDelegate(
      convertLegacyHttpOptions(options, 'TRACES', 'v1/traces', headers),
      serializer,
      'otlp_http_span_exporter',
      TraceExporterMetricsHelper,
      undefined,
    ),
  )
}
