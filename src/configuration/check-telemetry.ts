import type { z } from 'zod'

import { defined } from '../lib/json/object.ts'
import { semconvOf } from '../telemetry/genai.ts'
import { type TelemetrySetting, defaultTelemetry } from '../telemetry/settings.ts'
import { logsIn } from '../telemetry/logs/settings.ts'
import { tracesIn } from '../telemetry/traces/settings.ts'
import type { EnvironmentVariables } from './secrets.ts'
import type { telemetrySchema } from './telemetry-schema.ts'

/** Applies the defaults and the variables of OpenTelemetry. */
export function completeTelemetry(
  { genai = {}, metrics = {}, logs = {}, traces }: z.infer<typeof telemetrySchema>,
  env: EnvironmentVariables,
): TelemetrySetting {
  return {
    genai: { semconv: semconvOf(genai.semconv, env) },
    metrics: metrics && {
      ...defaultTelemetry.metrics,
      ...defined(metrics),
      otlp: !isDisabled(env) && (metrics.otlp ?? exporters(env).includes('otlp')),
    },
    logs: logsIn(logs, env),
    traces: tracesIn(typeof traces === 'object' ? defined(traces) : traces, env),
  }
}

/** `OTEL_SDK_DISABLED=true` and `OTEL_METRICS_EXPORTER=none` prevail over every setting. */
function isDisabled(env: EnvironmentVariables): boolean {
  return (
    env['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true' || exporters(env).includes('none')
  )
}

function exporters({ OTEL_METRICS_EXPORTER = '' }: EnvironmentVariables): string[] {
  return OTEL_METRICS_EXPORTER.split(',').map((one) => one.trim())
}
