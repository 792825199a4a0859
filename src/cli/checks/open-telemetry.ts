import type { EnvironmentVariables } from '../../configuration/secrets.ts'
import type { TelemetrySetting } from '../../telemetry/settings.ts'

/** The exporters of each signal by the variables of OpenTelemetry. `/metrics` is `prometheus`. */
const exporters = {
  OTEL_TRACES_EXPORTER: ['otlp', 'console', 'none'],
  OTEL_METRICS_EXPORTER: ['otlp', 'prometheus', 'none'],
  OTEL_LOGS_EXPORTER: ['otlp', 'none'],
} as const

const httpProtocols = ['http/protobuf', 'http/json']
const protocolVariable = 'OTEL_EXPORTER_OTLP_PROTOCOL'
const temporalityVariable = 'OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE'

/** Finds values of the variables of OpenTelemetry that the gateway cannot follow: one line each. */
export function openTelemetryWarnings(
  { metrics, logs, traces }: TelemetrySetting,
  env: EnvironmentVariables,
): string[] {
  if (isDisabled(env)) return []
  const isPushed = metrics !== false && metrics.otlp
  return [
    ...unknownExporters(env),
    ...(traces && isToCollector(env) ? otherProtocol('traces', env) : []),
    ...(isPushed ? [...otherProtocol('metrics', env), ...otherTemporality(env)] : []),
    ...(logs.otlp ? otherProtocol('logs', env) : []),
  ]
}

function unknownExporters(env: EnvironmentVariables): string[] {
  return Object.entries(exporters).flatMap(([variable, known]) =>
    (env[variable] ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !known.some((one) => one === name))
      .map((name) => `${variable}: there is no exporter "${name}" here; use ${known.join(', ')}`),
  )
}

/** All signals go over HTTP only. */
function otherProtocol(signal: 'traces' | 'metrics' | 'logs', env: EnvironmentVariables): string[] {
  const own = `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_PROTOCOL`
  // The signal's own variable goes before the variable of all signals.
  const variable = env[own]?.trim() ? own : protocolVariable
  const protocol = env[variable]?.trim() || 'http/protobuf'
  if (httpProtocols.includes(protocol)) return []
  return [
    `${variable}: ${signal} are not sent by "${protocol}"; set ${own}=http/protobuf, and the address of the collector for it`,
  ]
}

/** Whether the environment turns all of OpenTelemetry off. */
export function isDisabled(env: EnvironmentVariables): boolean {
  return env['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true'
}

/** Whether spans go to a collector, and not only to the terminal. */
export function isToCollector(env: EnvironmentVariables): boolean {
  const names = (env['OTEL_TRACES_EXPORTER'] ?? '').trim() || 'otlp'
  return names.split(',').some((name) => name.trim() === 'otlp')
}

function otherTemporality(env: EnvironmentVariables): string[] {
  const preference = env[temporalityVariable]?.trim().toLowerCase() || 'cumulative'
  if (preference === 'cumulative') return []
  return [
    `${temporalityVariable}: "${preference}" is not supported; metrics are pushed as cumulative sums`,
  ]
}
