import { join } from 'node:path'

import { expect, test } from 'vitest'

import { addressesOf, anyPorts, openPlace } from '../cli/dragoman.ts'

const hook = join(import.meta.dirname, 'say-loaded.ts')
const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }
const all = { traces: true, metrics: { otlp: true }, logs: { otlp: true } }

test.each([
  ['nothing is asked for', {}, {}, []],
  ['the environment refuses', all, { ...endpoint, OTEL_SDK_DISABLED: 'true' }, []],
  ['only logs are sent', { logs: { otlp: true } }, {}, ['sdk-logs']],
  ['only metrics are sent', { metrics: { otlp: true } }, {}, ['exporter-metrics-otlp-proto']],
  ['only traces are sent', {}, endpoint, ['sdk-trace']],
] as const)(
  'where %s, a gateway loads no more of OpenTelemetry',
  async (_, telemetry, env, some) => {
    await using place = await openPlace()
    await place.write('dragoman.config.json', JSON.stringify({ store: 'memory:', telemetry }))
    const server = place.start(anyPorts, { ...env, NODE_OPTIONS: `--import ${hook}` })
    const { operators } = await addressesOf(server)
    expect((await fetch(`${operators}/metrics`)).status).toBe(200)
    server.child.kill('SIGTERM')
    const { stderr } = await server.ended
    const loaded = new Set(stderr.match(/(?<=^loads @opentelemetry\/)[\w-]+/gm))
    const senders = ['sdk-logs', 'exporter-metrics-otlp-proto', 'sdk-trace']
    expect(senders.filter((name) => loaded.has(name))).toEqual(some)
    if (some.length === 0) expect([...loaded]).toEqual([])
  },
)
