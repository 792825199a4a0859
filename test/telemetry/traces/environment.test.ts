import { afterEach, expect, test, vi } from 'vitest'

import { tracesIn } from '../../../src/telemetry/settings.ts'
import { startCollector } from './collector.ts'
import { serverOf, tracedStage } from './stage.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

function environment(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
}

test('the environment names the collector, its headers, the service and the limits', async () => {
  await using other = await startCollector()
  environment({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${other.url}/base`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-team=blue',
    OTEL_SERVICE_NAME: 'edge',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,service.name=lost',
    OTEL_NODE_RESOURCE_DETECTORS: 'service',
    OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT: '10',
  })
  await using stage = await tracedStage()
  const reply = await stage.ask('/v1/models')
  await reply.text()
  await stage[Symbol.asyncDispose]()
  // The address of the configuration gives way.
  expect(stage.collector.requests).toEqual([])
  expect(other.requests[0]).toMatchObject({
    url: '/base/v1/traces',
    headers: { 'x-team': 'blue', 'content-type': 'application/x-protobuf' },
  })
  const { resource, attributes } = serverOf(other.spans)
  expect(resource).toMatchObject({
    'service.name': 'edge',
    'deployment.environment.name': 'test',
  })
  expect(resource).not.toHaveProperty('process.pid')
  expect(String(attributes['dragoman.request.id'])).toHaveLength(10)
})

test.each([
  [{ OTEL_TRACES_SAMPLER: 'always_off' }, 0],
  [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }, 0],
  [{ OTEL_TRACES_SAMPLER: 'parentbased_always_on' }, 1],
  [{ OTEL_TRACES_SAMPLER: 'nonsense' }, 1],
])(
  'the sampler of the environment goes before that of the configuration (%o)',
  async (variables, spans) => {
    environment(variables)
    await using stage = await tracedStage({ traces: { sample: 1 } })
    await (await stage.ask('/v1/models')).text()
    await stage[Symbol.asyncDispose]()
    expect(stage.collector.spans.filter(({ kind }) => kind === 'server')).toHaveLength(spans)
  },
)

test('traces go out as JSON where the environment says so, and no attribute without a value', async () => {
  environment({ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' })
  await using stage = await tracedStage()
  const messages = [{ role: 'user', content: 'Hello' }]
  await (await stage.ask('/v1/chat/completions', { model: 'sandbox/echo', messages })).text()
  await stage[Symbol.asyncDispose]()
  const types = stage.collector.requests.map(({ headers }) => headers['content-type'])
  expect(types).toEqual(['application/json'])
  const sent = stage.collector.bytes.toString()
  expect(sent).toContain('"key":"gen_ai.request.model","value":{"stringValue":"sandbox/echo"}')
  expect(sent).not.toContain('"value":{}')
})

test.each([
  [
    { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    'OTEL_EXPORTER_OTLP_PROTOCOL: use http/protobuf or http/json',
  ],
  [{ OTEL_PROPAGATORS: 'b3' }, 'OTEL_PROPAGATORS: use tracecontext, baggage, none'],
  [{ OTEL_TRACES_EXPORTER: 'zipkin' }, 'use otlp, console or none'],
  [
    { OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'smoke', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: use http/protobuf or http/json',
  ],
])(
  'what the gateway does not know is named, and it serves without traces (%o)',
  async (variables, fix) => {
    environment(variables)
    await using stage = await tracedStage()
    const reply = await stage.ask('/v1/models')
    await reply.text()
    expect([reply.status, reply.headers.has('x-trace-id')]).toEqual([200, false])
    expect(stage.gateway.log).toContainEqual(
      expect.objectContaining({ level: 'error', error: expect.stringContaining(fix) }),
    )
  },
)

test('no propagator means that no trace comes in', async () => {
  environment({ OTEL_PROPAGATORS: 'none' })
  await using stage = await tracedStage({ traces: { incoming: 'trust' } })
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const reply = await stage.ask('/v1/models', undefined, { traceparent })
  await reply.text()
  expect(serverOf(await stage.traceOf(reply))).toMatchObject({ parentId: '', links: [] })
})

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }

test.each([
  [undefined, {}, false],
  [undefined, endpoint, true],
  [undefined, { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:4318' }, true],
  [undefined, { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }, false],
  [true, {}, true],
  [{ sample: 0.5 }, {}, true],
  [false, endpoint, false],
  [true, { OTEL_SDK_DISABLED: ' True ' }, false],
  [true, { ...endpoint, OTEL_TRACES_EXPORTER: 'otlp, none' }, false],
] as const)('traces: %o in an environment with %o: %s', (configured, env, expected) => {
  expect(tracesIn(configured, env) !== false).toBe(expected)
})
