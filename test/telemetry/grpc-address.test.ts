import { join } from 'node:path'

import { expect, test } from 'vitest'

import { addressesOf, withoutAdmin, openPlace } from '../cli/dragoman.ts'

const hook = join(import.meta.dirname, 'packages/register.ts')

test.each([
  ['an address without a scheme', { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector.test:4317' }],
  ['a URL', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.test:4317' }],
  [
    'an address of its own',
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'collector.test:4317',
    },
  ],
])('the line about a collector of gRPC that has %s names its host', async (_, addresses) => {
  await using place = await openPlace()
  await place.write(
    'dragoman.config.json',
    JSON.stringify({ store: 'memory:', telemetry: { traces: true } }),
  )
  const server = place.start(withoutAdmin, {
    ...addresses,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    NODE_OPTIONS: `--import ${hook}`,
  })
  const { clients } = await addressesOf(server)
  const reply = await fetch(`${clients}/v1/models`)
  await reply.text()
  server.child.kill('SIGTERM')
  const { stdout, stderr } = await server.ended
  expect(stdout + stderr).toContain('traces cannot be exported to collector.test:4317')
})
