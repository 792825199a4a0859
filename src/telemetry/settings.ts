/** The settings of metrics, logs and traces. */
export interface TelemetrySetting {
  /** False: nothing is counted, and `/metrics` does not exist. */
  metrics: MetricsSetting | false
  logs: LogsSetting
  /** False: exchanges are not traced, and nothing of the SDK is loaded. */
  traces: TracesSetting | false
}

/** The settings of metrics. */
export interface MetricsSetting {
  /**
   * Whether `/metrics` needs an admin token. Absent: where the request comes from another machine, or
   * through a proxy.
   */
  requireToken?: boolean
  /** Names of models that labels have as they are, besides those that accounts list without a pattern. */
  models: string[]
  /** Whose calls have series of their own. */
  by: ('key' | 'team')[]
  /** Whether metrics are pushed by OTLP as well. */
  otlp: boolean
}

/** Whether logs go to a collector by OTLP. */
export interface LogsSetting {
  /** The operators' log. */
  otlp: boolean
  /** The access log as well. */
  access: boolean
  /** The rows of the ledger as well. */
  ledger: boolean
}

/** The treatment of a `traceparent` that a client sends. */
export type IncomingPolicy = 'trust' | 'link' | 'ignore'

/** The settings of traces. */
export interface TracesSetting {
  /** Absent: `trust` for requests through a trusted proxy, otherwise `link`. */
  incoming?: IncomingPolicy
  /** The share of the traces that begin here, from 0 to 1. */
  sample: number
  /** Whether spans have the texts of callers and models. */
  content: boolean
  /** The address of the collector, without `/v1/traces`. Absent: the environment's, otherwise the SDK's. */
  endpoint?: string
}

/** The defaults, without the environment. */
export const defaultTelemetry: TelemetrySetting & { readonly metrics: MetricsSetting } = {
  metrics: { models: [], by: [], otlp: false },
  logs: { otlp: false, access: false, ledger: false },
  traces: false,
}

const defaultTraces: TracesSetting = { sample: 1, content: false }

type Environment = Readonly<Record<string, string | undefined>>

/** Metrics are pushed where that is asked for, and the environment does not refuse. */
export function isMetricsPushIn(configured: boolean | undefined, env: Environment): boolean {
  return isExported('METRICS', env) && (configured ?? exportersOf('METRICS', env).includes('otlp'))
}

/** Logs go to a collector where that is asked for, and the environment does not refuse. */
export function logsIn(
  {
    otlp,
    access = false,
    ledger = false,
  }: { readonly [Name in keyof LogsSetting]?: boolean | undefined },
  env: Environment,
): LogsSetting {
  const isSent = otlp ?? exportersOf('LOGS', env).includes('otlp')
  return { otlp: isSent && isExported('LOGS', env), access, ledger }
}

/**
 * The settings of traces that take effect; false: exchanges are not traced. The environment has the last word against
 * traces; `false` of the configuration goes before an endpoint of the environment.
 */
export function tracesIn(
  configured: Partial<TracesSetting> | boolean | undefined,
  env: Environment,
): TracesSetting | false {
  if (configured === false || !isExported('TRACES', env)) return false
  if (configured === undefined && !hasEndpoint(env)) return false
  return { ...defaultTraces, ...(typeof configured === 'object' && configured) }
}

type Signal = 'TRACES' | 'METRICS' | 'LOGS'

/** `OTEL_SDK_DISABLED=true` and `none` of the signal's exporters prevail over every setting. */
function isExported(signal: Signal, env: Environment): boolean {
  const isDisabled = valueOf(env, 'OTEL_SDK_DISABLED').toLowerCase() === 'true'
  return !isDisabled && !exportersOf(signal, env).includes('none')
}

/** The names in `OTEL_TRACES_EXPORTER` and its like. */
function exportersOf(signal: Signal, env: Environment): string[] {
  return valueOf(env, `OTEL_${signal}_EXPORTER`)
    .split(',')
    .map((name) => name.trim())
}

function hasEndpoint(env: Environment): boolean {
  return (
    valueOf(env, 'OTEL_EXPORTER_OTLP_ENDPOINT') !== '' ||
    valueOf(env, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') !== ''
  )
}

function valueOf(env: Environment, name: string): string {
  return env[name]?.trim() ?? ''
}
