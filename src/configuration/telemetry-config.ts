/** What of the gateway can be seen from outside. */
export interface TelemetryConfig {
  /** Names of the semantic conventions for generative AI. */
  genai?: {
    /**
     * The names of metrics: `stable` (the default) as most dashboards have them, `latest` those of the
     * present draft. Default: `latest` where `OTEL_SEMCONV_STABILITY_OPT_IN` has
     * `gen_ai_latest_experimental`.
     */
    semconv?: 'stable' | 'latest'
  }
  /** `/metrics` on the admin address. False counts nothing. */
  metrics?: MetricsConfig | false
  /** Logs by OTLP. */
  logs?: {
    /** Sends the operators' log to a collector. Default: where `OTEL_LOGS_EXPORTER` has `otlp`. */
    otlp?: boolean
    /** Sends the access log too, with `otlp`. Default: false. */
    access?: boolean
  }
  /**
   * Traces by OTLP, with the variables of OpenTelemetry (`OTEL_*`), which go before these settings. False
   * traces nothing. Default: traces where `OTEL_EXPORTER_OTLP_ENDPOINT` or
   * `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` is set.
   */
  traces?: TracesConfig | boolean
}

/** The settings of traces. */
interface TracesConfig {
  /**
   * The spans of a trace: `minimal` has the exchange and its call, `standard` (the default) the choice of
   * an account and each attempt as well, `full` all stages.
   */
  detail?: 'minimal' | 'standard' | 'full'
  /**
   * What becomes of a `traceparent` that a client sends: `trust` continues its trace, `link` begins a new
   * one that links to it, `ignore` drops it. Default: `trust` for requests through a trusted proxy,
   * otherwise `link`.
   */
  incoming?: 'trust' | 'link' | 'ignore'
  /** The share of the traces that begin here, from 0 to 1. Default: 1. */
  sample?: number
  /** Whether spans have what callers ask and models answer. Default: false. */
  content?: boolean
  /** The most bytes of that on each side. Default: 8 KiB. */
  contentBytes?: number
  /** URL of the collector, without `/v1/traces`. Default: http://localhost:4318. */
  endpoint?: string
}

/** The settings of metrics. */
interface MetricsConfig {
  /**
   * Whether `/metrics` needs an admin token, of any role. Default: where the request comes from another
   * machine, or through a proxy.
   */
  requireToken?: boolean
  /**
   * Names of models that labels have as they are. Others that only a pattern of an account (`gpt-*`)
   * matches have the pattern as label.
   */
  models?: string[]
  /** Pushes metrics by OTLP as well. Default: where `OTEL_METRICS_EXPORTER` has `otlp`. */
  otlp?: boolean
}
