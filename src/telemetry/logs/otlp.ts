import { ROOT_CONTEXT, SeverityNumber, TraceFlags, trace } from '@opentelemetry/api'
import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import {
  BatchLogRecordProcessor,
  type LogRecordExporter,
  LoggerProvider,
} from '@opentelemetry/sdk-logs'

import type { LogLevel, LogRecord } from '../../lib/log.ts'
import { within } from '../../lib/within.ts'
import { type ConnectedCollector, collectorOf } from '../collector.ts'
import { exportInTime, faultFields } from '../export-in-time.ts'
import { createResource } from '../resource.ts'
import { type Sender, lastTime } from '../sender.ts'
import { createLogExporter } from './exporter.ts'

/** The name of the scope. */
const scope = 'dragoman'

/** An outage of the collector is reported once in this time, in milliseconds. */
const outageMs = 60_000

/** Records that wait for the collector. More are dropped, so that memory is bounded. */
const maxQueueSize = 2_048

const severities: Readonly<Record<LogLevel, SeverityNumber>> = {
  debug: SeverityNumber.DEBUG,
  info: SeverityNumber.INFO,
  warn: SeverityNumber.WARN,
  error: SeverityNumber.ERROR,
}

/** Sends records of the log to a collector. */
interface LogsPush extends Sender {
  /** Queues a record. Never throws, and never waits. */
  push(record: LogRecord): void
}

/** The options of `pushLogs`. */
interface PushOptions {
  readonly version: string
  /** Called when the collector does not take records, at most once a minute, with what a log may have. Must not push. */
  readonly onFault: (fields: ReturnType<typeof faultFields>) => void
}

/** Opens the push of logs by OTLP. Rejects if the `OTEL_*` variables cannot be used. */
export async function pushLogs({ version, onFault }: PushOptions): Promise<LogsPush> {
  const collector = collectorOf('logs')
  const failed = (error: Error | undefined) => onFault(faultFields(error, collector))
  const provider = new LoggerProvider({
    resource: await createResource(version),
    processors: [
      new BatchLogRecordProcessor({
        exporter: reporting(collector, failed),
        maxQueueSize,
      }),
    ],
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

/** An exporter whose failures are reported. */
function reporting(
  collector: ConnectedCollector,
  failed: (error: Error | undefined) => void,
): LogRecordExporter {
  const exporter = createLogExporter(collector)
  const send = exportInTime(exporter, collector)
  let reportedAt = -Infinity
  function note({ code, error }: ExportResult): void {
    if (code === ExportResultCode.SUCCESS || performance.now() - reportedAt < outageMs) return
    reportedAt = performance.now()
    failed(error)
  }
  return {
    export(records, done) {
      send(records, (result) => {
        note(result)
        done(result)
      })
    },
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  }
}
