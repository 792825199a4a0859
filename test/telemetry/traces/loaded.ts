import { registerHooks } from 'node:module'

/** Run as a process: starts gateways, and prints for each which packages of OpenTelemetry are loaded. */
const loaded = new Set<string>()
registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('@opentelemetry/')) loaded.add(specifier)
    return next(specifier, context)
  },
})

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }
const cases = {
  nothing: { env: {}, telemetry: {} },
  disabled: {
    env: { ...endpoint, OTEL_SDK_DISABLED: 'TRUE' },
    telemetry: { traces: { sample: 1 } },
  },
  none: { env: { ...endpoint, OTEL_TRACES_EXPORTER: 'none' }, telemetry: { traces: true } },
  refused: { env: endpoint, telemetry: { traces: false } },
  endpoint: { env: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:9' }, telemetry: {} },
} as const

const { createTestGateway } = await import('../../../src/testing/gateway.ts')
const results: Record<string, string[]> = {}
for (const [name, { env, telemetry }] of Object.entries(cases)) {
  Object.assign(process.env, env)
  const gateway = await createTestGateway({ telemetry })
  await (await fetch(`${gateway.url}/v1/models`)).text()
  await gateway[Symbol.asyncDispose]()
  for (const variable of Object.keys(env)) delete process.env[variable]
  results[name] = [...loaded]
}
// The exporter tries again for a while, which would hold the process.
process.stdout.write(JSON.stringify(results), () => process.exit())
