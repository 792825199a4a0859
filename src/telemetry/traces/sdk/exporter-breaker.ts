import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import type { SpanExporter } from '@opentelemetry/sdk-trace'

import type { Log } from '../../../lib/log.ts'
import { type Collector, exportInTime } from '../../collector.ts'

/** The options of `breakable`. */
interface BreakerOptions {
  readonly log: Pick<Log, 'warn' | 'info'>
  readonly collector: Collector
  /** In milliseconds, only to be compared. */
  readonly now?: () => number
}

/** Failed exports in a row, after which the collector counts as away. */
const mostFailures = 3

/** How long spans are dropped before the collector is asked again, in milliseconds. */
const pauseMs = 60_000

/**
 * An exporter that stops asking a collector that is away: each batch is tried for up to ten seconds, and that
 * would go on for ever. Spans are dropped meanwhile, and the log says how many.
 */
export function breakable(
  exporter: SpanExporter,
  { log, collector, now = () => performance.now() }: BreakerOptions,
): SpanExporter {
  const send = exportInTime(exporter, collector)
  let failures = 0
  let openUntil = 0
  let dropped = 0

  function note(spans: number, { code, error }: ExportResult): void {
    if (code === ExportResultCode.SUCCESS) {
      if (openUntil > 0) log.info('traces are exported again', { dropped_spans: dropped })
      failures = openUntil = dropped = 0
      return
    }
    dropped += spans
    if (++failures < mostFailures) return
    if (openUntil === 0) {
      const fault = error?.message.slice(0, 200)
      log.warn('the collector of traces is away: spans are dropped', { fault })
    }
    openUntil = now() + pauseMs
  }

  return {
    export(spans, done) {
      if (now() < openUntil) {
        dropped += spans.length
        done({ code: ExportResultCode.SUCCESS })
        return
      }
      // While one batch shows whether the collector is back, others are dropped.
      if (openUntil > 0) openUntil = now() + pauseMs
      send(spans, (result) => {
        note(spans.length, result)
        done(result)
      })
    },
    async forceFlush() {
      if (now() >= openUntil) await exporter.forceFlush?.()
    },
    shutdown: () => exporter.shutdown(),
  }
}
