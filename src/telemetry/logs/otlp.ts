import { ROOT_CONTEXT, SeverityNumber, TraceFlags, trace } from '@opentelemetry/api'
import {
  BatchLogRecordProcessor,
  type LogRecordExporter,
  LoggerProvider,
} from '@opentelemetry/sdk-logs'

import type { LedgerRow } from '../../contract/ledger-row.ts'
import type { LogLevel, LogRecord } from '../../lib/log.ts'
import { within } from '../../lib/deadline.ts'
import {
  type ConnectedCollector,
  type FaultFields,
  collectorOf,
  exportInTime,
  faultFields,
  httpProtocolOf,
} from '../collector.ts'
import { createResource } from '../resource.ts'
import { type Sender, lastTime } from '../sender.ts'

/** The name of the scope. */
const scope = 'dragoman'

/** Records that wait for the collector. More are dropped, so that memory is bounded. */
const maxQueueSize = 2_048

const severities: Readonly<Record<LogLevel, SeverityNumber>> = {
  debug: SeverityNumber.DEBUG,
  info: SeverityNumber.INFO,
  warn: SeverityNumber.WARN,
  error: SeverityNumber.ERROR,
}

/** Sends records of the log to a collector. */
export interface LogsPush extends Sender {
  /** Queues a record. Never throws, and never waits. */
  push(record: LogRecord): void
  /** Queues rows of the ledger as events. Never throws, and never waits. */
  pushRows(rows: readonly LedgerRow[]): void
}

/** The options of `pushLogs`. */
interface PushOptions {
  readonly version: string
  /** Called when the collector does not take records, at most once a minute, with fields for the log. Must not push. */
  readonly onFault: (fields: FaultFields) => void
}

/** Opens the push of logs by OTLP. Rejects if the `OTEL_*` variables cannot be used. */
export async function pushLogs({ version, onFault }: PushOptions): Promise<LogsPush> {
  const collector = collectorOf('logs')
  const failed = (error: Error | undefined) => onFault(faultFields(error, collector))
  const exporter = await createExporter(collector, onFault)
  const provider = new LoggerProvider({
    resource: createResource(version),
    processors: [new BatchLogRecordProcessor({ exporter, maxQueueSize })],
  })
  const logger = provider.getLogger(scope, version)
  const last = lastTime()
  return {
    push({ time, level, msg, trace_id, span_id, ...fields }) {
      logger.emit({
        timestamp: new Date(time),
        severityNumber: severities[level],
        severityText: level.toUpperCase(),
        body: msg,
        attributes: attributesOf(fields),
        context: contextOf(trace_id, span_id),
      })
    },
    pushRows(rows) {
      for (const row of rows) {
        logger.emit({
          eventName: 'dragoman.attempt',
          timestamp: new Date(row.at),
          severityNumber: SeverityNumber.INFO,
          severityText: 'INFO',
          attributes: attributesOf({ ...row, costNano: row.costNano ?? undefined }),
        })
      }
    },
    sendLast() {
      last.begin()
      provider.forceFlush().catch(failed)
    },
    async [Symbol.asyncDispose]() {
      const late = () => new Error('the collector is slow')
      await within(last.left(), provider.shutdown(), late).catch(failed)
      collector.drop()
    },
  }
}

/** The trace that a record belongs to. */
function contextOf(traceId: unknown, spanId: unknown) {
  if (typeof traceId !== 'string' || typeof spanId !== 'string') return ROOT_CONTEXT
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: TraceFlags.NONE })
}

/** Text, numbers and booleans stay as they are; anything else is JSON. */
function attributesOf(
  fields: Readonly<Record<string, unknown>>,
): Record<string, string | number | boolean> {
  const isPlain = (value: unknown): value is string | number | boolean =>
    ['string', 'number', 'boolean'].includes(typeof value)
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      if (value === undefined) return []
      return [[name, isPlain(value) ? value : JSON.stringify(value)]]
    }),
  )
}

/** Loads the OTLP exporter of the protocol. Its failures are reported. */
async function createExporter(
  collector: ConnectedCollector,
  onFault: PushOptions['onFault'],
): Promise<LogRecordExporter> {
  const { OTLPLogExporter } =
    httpProtocolOf('LOGS', process.env) === 'http/json'
      ? await import('@opentelemetry/exporter-logs-otlp-http')
      : await import('@opentelemetry/exporter-logs-otlp-proto')
  const { httpAgentOptions } = collector
  const exporter = new OTLPLogExporter({ httpAgentOptions })
  return {
    export: exportInTime(exporter, collector, onFault),
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  }
}
