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
import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace'

import { RecordedSpan } from './recorded-span.ts'
import { encodeSpan, serializeSpans } from './span-encoder.ts'

/**
 * Creates the exporter of `@opentelemetry/exporter-trace-otlp-proto`, with the same environment, transport
 * and retries, but a faster serializer.
 */
export function createProtobufExporter(options: OTLPExporterNodeConfigBase): SpanExporter {
  const headers = { 'Content-Type': 'application/x-protobuf' }
  const serializer: typeof ProtobufTraceSerializer = {
    ...ProtobufTraceSerializer,
    serializeRequest: serializeSpans,
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

/**
 * Encodes spans when they end, for a processor that sends them by `createProtobufExporter`. Hundreds of spans that wait
 * as objects for their export outlive the collections of the young generation, which copy them. The attributes are
 * let go, so that no other processor may have the spans.
 */
export function encodeAtEnd(processor: SpanProcessor): SpanProcessor {
  return {
    onStart: () => {},
    onEnd(span) {
      if (span instanceof RecordedSpan) span.keepEncoded(encodeSpan(span))
      processor.onEnd(span)
    },
    forceFlush: () => processor.forceFlush(),
    shutdown: () => processor.shutdown(),
  }
}
