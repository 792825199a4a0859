import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import {
  type OTLPExporterNodeConfigBase,
  convertLegacyHttpOptions,
} from '@opentelemetry/otlp-exporter-base/node-http'

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

/** A collector, and the option of an exporter whose connections can be dropped. */
export interface ConnectedCollector extends Collector {
  readonly httpAgentOptions: NonNullable<OTLPExporterNodeConfigBase['httpAgentOptions']>
}

/**
 * The collector of a signal, as `OTEL_EXPORTER_OTLP_*` say, also for an exporter that has `httpAgentOptions`.
 * `url`: goes before the address of the environment.
 */
export function collectorOf(signal: Collector['signal'], url?: string): ConnectedCollector {
  const options = convertLegacyHttpOptions(
    url === undefined ? {} : { url },
    signal.toUpperCase(),
    `v1/${signal}`,
    {},
  )
  const agents: { destroy(): void }[] = []
  return {
    signal,
    host: URL.parse(options.url)?.host || 'the collector',
    timeoutMs: options.timeoutMillis,
    async httpAgentOptions(protocol) {
      const agent = await options.agentFactory(protocol)
      agents.push(agent)
      return agent
    },
    drop() {
      // An agent opens new connections afterwards.
      for (const agent of agents) agent.destroy()
    },
  }
}

/**
 * The protocol by which a signal is sent, as the variables of OpenTelemetry say; http/protobuf by default. Throws for
 * one that does not go over HTTP, with the variable that names it.
 */
export function httpProtocolOf(
  signal: 'LOGS' | 'METRICS' | 'TRACES',
  env: Readonly<Record<string, string | undefined>>,
): 'http/protobuf' | 'http/json' {
  const variables = [`OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`, 'OTEL_EXPORTER_OTLP_PROTOCOL']
  const variable = variables.find((name) => env[name]?.trim())
  const protocol = (variable && env[variable]?.trim()) ?? 'http/protobuf'
  if (protocol === 'http/protobuf' || protocol === 'http/json') return protocol
  throw new Error(`${variable}: use http/protobuf or http/json`)
}

/** The longest time of a timer, in milliseconds. */
const longestTimer = 2 ** 31 - 1

/** A failing collector is reported once in this time, in milliseconds. */
const reportMs = 60_000

/** The `export` of an exporter. */
type Export<Items> = (items: Items, done: (result: ExportResult) => void) => void

/**
 * The `export` of an exporter, with a deadline: the exporter's own deadline restarts with each byte of the collector,
 * which may go on for ever. A late export fails, and loses its connection, so that none of them pile up. The error of a
 * failure says which signal could not be sent, and where to. `onFault`: called for a failure, at most once a minute,
 * with fields for the log.
 */
export function exportInTime<Items>(
  exporter: { readonly export: Export<Items> },
  collector: Collector,
  onFault: (fields: FaultFields) => void = () => {},
): Export<Items> {
  const { timeoutMs } = collector
  let reportedAt = -Infinity
  const report = (error: Coded | undefined) => {
    if (performance.now() - reportedAt < reportMs) return
    reportedAt = performance.now()
    onFault(faultFields(error, collector))
  }
  return (items, done) => {
    let isDone = false
    const end = ({ code, error }: ExportResult): void => {
      if (isDone) return
      isDone = true
      clearTimeout(timer)
      if (code === ExportResultCode.SUCCESS) return done({ code })
      report(error)
      done({ code, error: failureOf(collector, error) })
    }
    const late = (): void => {
      const error = new Error(`no answer within ${timeoutMs} ms`)
      end({ code: ExportResultCode.FAILED, error: Object.assign(error, { name: 'TimeoutError' }) })
      collector.drop()
    }
    const timer = setTimeout(late, Math.min(timeoutMs, longestTimer)).unref()
    exporter.export(items, end)
  }
}

/** `code`: a word of Node, or the status of a reply. */
type Coded = Error & { readonly code?: string | number }

function failureOf({ signal, host }: Collector, error: Coded | undefined): Coded {
  const { name = 'Error', message, code } = error ?? {}
  const reason = message || (code === undefined ? 'unknown' : `code ${code}`)
  const failure = new Error(`${signal} cannot be exported to ${host}: ${reason}`)
  return Object.assign(failure, { name, ...(code !== undefined && { code }) })
}

/** The fields of a failed export for the log. */
export type FaultFields = Readonly<Record<string, string | number>>

/** The message of the error stays out: it may have the address, whose path or user may be secret. */
export function faultFields(
  error: Coded | undefined,
  { host }: Pick<Collector, 'host'>,
): FaultFields {
  const { name = 'Error', code } = error ?? {}
  return { error: name, ...(code !== undefined && { code }), collector: host }
}
