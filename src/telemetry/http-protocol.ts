type HttpProtocol = 'http/protobuf' | 'http/json'

/**
 * The protocol by which logs or metrics are sent, as the variables of OpenTelemetry say; http/protobuf by default.
 * Throws for one that does not go over HTTP, with the variable that names it.
 */
export function httpProtocolOf(
  signal: 'LOGS' | 'METRICS',
  env: Readonly<Record<string, string | undefined>>,
): HttpProtocol {
  const variables = [`OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`, 'OTEL_EXPORTER_OTLP_PROTOCOL']
  const variable = variables.find((name) => env[name]?.trim())
  const protocol = (variable && env[variable]?.trim()) ?? 'http/protobuf'
  if (protocol === 'http/protobuf' || protocol === 'http/json') return protocol
  throw new Error(`${variable}: use http/protobuf or http/json`)
}
