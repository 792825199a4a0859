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
