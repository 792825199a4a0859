import type { Semconv } from './genai.ts'
import { type LogsSetting, defaultLogs } from './logs/settings.ts'
import type { TracesSetting } from './traces/settings.ts'

/** What of the gateway can be seen from outside, and by which names. */
export interface TelemetrySetting {
  genai: {
    /** The generation of the names of metrics. */
    semconv: Semconv
  }
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
  /** Whether metrics are pushed by OTLP as well. */
  otlp: boolean
}

/** The defaults, without the environment. */
export const defaultTelemetry: TelemetrySetting & { readonly metrics: MetricsSetting } = {
  genai: { semconv: 'stable' },
  metrics: { models: [], otlp: false },
  logs: defaultLogs,
  traces: false,
}
