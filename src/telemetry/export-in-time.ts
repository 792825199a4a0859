import type { ExportResult } from '@opentelemetry/core'

/** Where the exports of a signal go. */
export interface Collector {
  readonly signal: 'traces' | 'metrics' | 'logs'
  /** Host and port, without user and path, which may be secret. */
  readonly host: string
  /** How long an export may take, in milliseconds. */
  readonly timeoutMs: number
  /** Closes all connections, so that exports on their way fail. */
  drop(): void
}

/** `ExportResultCode` of `@opentelemetry/core`, which is not loaded for these two. */
const succeeded: ExportResult['code'] = 0
const failed: ExportResult['code'] = 1

/** The longest time of a timer, in milliseconds. */
const longestTimer = 2 ** 31 - 1

/** The `export` of an exporter. */
type Export<Items> = (items: Items, done: (result: ExportResult) => void) => void

/**
 * The `export` of an exporter, with a deadline: its own one begins anew with each byte of the collector, which may
 * go on for ever. A late export fails, and loses its connection, so that none of them pile up. The error of a
 * failure says which signal could not be sent, and where to.
 */
export function exportInTime<Items>(
  exporter: { readonly export: Export<Items> },
  collector: Collector,
): Export<Items> {
  const { timeoutMs } = collector
  return (items, done) => {
    let isDone = false
    const end = ({ code, error }: ExportResult): void => {
      if (isDone) return
      isDone = true
      clearTimeout(timer)
      done(code === succeeded ? { code } : { code, error: failureOf(collector, error) })
    }
    const late = (): void => {
      const error = new Error(`no answer within ${timeoutMs} ms`)
      end({ code: failed, error: Object.assign(error, { name: 'TimeoutError' }) })
      collector.drop()
    }
    const timer = setTimeout(late, Math.min(timeoutMs, longestTimer)).unref()
    exporter.export(items, end)
  }
}

/** An error of Node has a word, that of a reply its status. */
type Coded = Error & { readonly code?: string | number }

function failureOf({ signal, host }: Collector, error: Coded | undefined): Coded {
  const { name = 'Error', message, code } = error ?? {}
  const reason = message || (code === undefined ? 'unknown' : `code ${code}`)
  const failure = new Error(`${signal} cannot be exported to ${host}: ${reason}`)
  return Object.assign(failure, { name, ...(code !== undefined && { code }) })
}

/** The fields of a failed export for the log. Its message may have the address, whose path or user may be secret. */
export function faultFields(
  error: Coded | undefined,
  { host }: Pick<Collector, 'host'>,
): Readonly<Record<string, string | number>> {
  const { name = 'Error', code } = error ?? {}
  return { error: name, ...(code !== undefined && { code }), collector: host }
}
