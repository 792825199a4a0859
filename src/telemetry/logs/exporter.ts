import { OTLPExporterBase } from '@opentelemetry/otlp-exporter-base'
import {
  convertLegacyHttpOptions,
  createOtlpHttpExportDelegate,
} from '@opentelemetry/otlp-exporter-base/node-http'
import {
  JsonLogsSerializer,
  LogsExporterMetricsHelper,
  ProtobufLogsSerializer,
} from '@opentelemetry/otlp-transformer'
import type { LogRecordExporter, ReadableLogRecord } from '@opentelemetry/sdk-logs'

import type { ConnectedCollector } from '../collector.ts'
import { httpProtocolOf } from '../http-protocol.ts'

/**
 * Creates the OTLP exporter of logs over HTTP, as `OTEL_EXPORTER_OTLP_*` and `OTEL_EXPORTER_OTLP_LOGS_*` say.
 * Throws for a protocol that is neither http/protobuf nor http/json.
 */
export function createLogExporter({
  httpAgentOptions,
}: Pick<ConnectedCollector, 'httpAgentOptions'>): LogRecordExporter {
  const isJson = httpProtocolOf('LOGS', process.env) === 'http/json'
  const headers = { 'Content-Type': isJson ? 'application/json' : 'application/x-protobuf' }
  return new OTLPExporterBase<ReadableLogRecord[]>(
    createOtlpHttpExportDelegate(
      convertLegacyHttpOptions({ httpAgentOptions }, 'LOGS', 'v1/logs', headers),
      isJson ? JsonLogsSerializer : ProtobufLogsSerializer,
      isJson ? 'otlp_http_json_log_exporter' : 'otlp_http_log_exporter',
      LogsExporterMetricsHelper,
      undefined,
    ),
  )
}
