/** The spans of a trace besides that of the exchange and of its call. */
export type TraceDetail = 'minimal' | 'standard' | 'full'

/** What becomes of a `traceparent` that a client sends. */
export type IncomingPolicy = 'trust' | 'link' | 'ignore'

/** The settings of traces. */
export interface TracesSetting {
  /**
   * `minimal`: the exchange and its call; `standard`: the choice of an account and each attempt as well;
   * `full`: all stages.
   */
  detail: TraceDetail
  /** Absent: `trust` for requests through a trusted proxy, otherwise `link`. */
  incoming?: IncomingPolicy
  /** The share of the traces that begin here, from 0 to 1. */
  sample: number
  /** Whether spans have what callers ask and models answer. */
  content: boolean
  /** The most bytes of it on one side. */
  contentBytes: number
  /** The address of the collector, without `/v1/traces`. Absent: that of the environment or of the SDK. */
  endpoint?: string
}

/** The defaults. */
const defaultTraces: TracesSetting = {
  detail: 'standard',
  sample: 1,
  content: false,
  contentBytes: 8_192,
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The settings that take effect; false: exchanges are not traced. The environment has the last word against
 * traces; `false` of the configuration goes before an endpoint of the environment.
 */
export function tracesIn(
  configured: Partial<TracesSetting> | boolean | undefined,
  env: Environment,
): TracesSetting | false {
  if (configured === false || isDisabled(env)) return false
  if (configured === undefined && !hasEndpoint(env)) return false
  return { ...defaultTraces, ...(typeof configured === 'object' && configured) }
}

function isDisabled(env: Environment): boolean {
  const isOff = valueOf(env, 'OTEL_SDK_DISABLED').toLowerCase() === 'true'
  return isOff || exportersOf(env).includes('none')
}

/** The names in `OTEL_TRACES_EXPORTER`. */
function exportersOf(env: Environment): string[] {
  return valueOf(env, 'OTEL_TRACES_EXPORTER')
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
