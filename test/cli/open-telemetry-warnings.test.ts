import { expect, test } from 'vitest'

import { addressesOf, anyPorts, openPlace } from './dragoman.ts'

const sent = { telemetry: { traces: false, metrics: { otlp: true }, logs: { otlp: true } } }

/** What `check` warns of about variables of OpenTelemetry; it succeeds all the same. */
async function warningsOf(env: Record<string, string>, configuration: object = sent) {
  await using place = await openPlace()
  await place.write('dragoman.config.json', JSON.stringify(configuration))
  const { code, stderr } = await place.call('check', env)
  expect(code).toBe(0)
  const all = [...stderr.matchAll(/^Warning: (.*)$/gm)].map(([, words = '']) => words)
  return all.filter((words) => words.startsWith('OTEL_'))
}

test.each([
  [
    { OTEL_METRICS_EXPORTER: 'otlp, console' },
    ['OTEL_METRICS_EXPORTER: there is no exporter "console" here; use otlp, prometheus, none.'],
  ],
  [
    { OTEL_LOGS_EXPORTER: 'console', OTEL_TRACES_EXPORTER: 'zipkin' },
    [
      'OTEL_TRACES_EXPORTER: there is no exporter "zipkin" here; use otlp, console, none.',
      'OTEL_LOGS_EXPORTER: there is no exporter "console" here; use otlp, none.',
    ],
  ],
  [
    { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_EXPORTER_OTLP_LOGS_PROTOCOL: 'http/json' },
    [
      'OTEL_EXPORTER_OTLP_PROTOCOL: metrics are not sent by "grpc"; set OTEL_EXPORTER_OTLP_METRICS_PROTOCOL=http/protobuf, and the address of the collector for it.',
    ],
  ],
  [
    { OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: 'Delta' },
    [
      'OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: "delta" is not supported; metrics are pushed as cumulative sums.',
    ],
  ],
])('check warns of what the gateway cannot follow: %o', async (env, expected) => {
  expect(await warningsOf(env)).toEqual(expected)
})

const all = { telemetry: { traces: true, metrics: { otlp: true }, logs: { otlp: true } } }

test.each(['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'])(
  'check warns of a protocol of traces that is none: %s',
  async (variable) => {
    const traced = { telemetry: { traces: true } }
    const [words, ...others] = await warningsOf({ [variable]: 'smoke' }, traced)
    expect(words).toBe(
      `${variable}: traces are not sent by "smoke"; set OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/protobuf, and the address of the collector for it.`,
    )
    expect(others).toEqual([])
    const elsewhere = { [variable]: 'smoke', OTEL_TRACES_EXPORTER: 'console' }
    expect(await warningsOf(elsewhere, traced)).toEqual([])
  },
)

test('check warns of no variable while OTEL_SDK_DISABLED turns all of it off', async () => {
  const odd = {
    OTEL_TRACES_EXPORTER: 'zipkin',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'smoke',
    OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: 'delta',
  }
  expect((await warningsOf(odd, all)).length).toBeGreaterThan(2)
  expect(await warningsOf({ ...odd, OTEL_SDK_DISABLED: ' True' }, all)).toEqual([])
})

test('check warns of nothing that the gateway follows, and of no signal that is not sent', async () => {
  const followed = {
    OTEL_METRICS_EXPORTER: 'otlp,prometheus',
    OTEL_LOGS_EXPORTER: 'otlp',
    OTEL_TRACES_EXPORTER: ' console ',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: 'cumulative',
  }
  expect(await warningsOf(followed)).toEqual([])
  const unsent = {
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: 'delta',
  }
  expect(await warningsOf(unsent, { telemetry: { traces: false } })).toEqual([])
})

test('a gateway whose metrics and logs are to go by gRPC says so and serves', async () => {
  await using place = await openPlace()
  const configuration = {
    ...sent,
    keys: [{ id: 'team', secret: 'hush-0123456789abcdef' }],
    log: { format: 'json' },
  }
  await place.write('dragoman.config.json', JSON.stringify(configuration))
  const server = place.start(anyPorts, { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })
  const { clients } = await addressesOf(server)
  expect((await fetch(`${clients}/livez`)).status).toBe(200)
  const lines = server.output.stderr.split('\n').filter((line) => line.startsWith('{'))
  const said = lines.map((line) => JSON.parse(line) as { level: string; msg: string })
  expect(said.filter(({ level }) => level === 'error').map(({ msg }) => msg)).toEqual([
    'the log is not sent to a collector',
    'metrics are not pushed to a collector',
  ])
  expect(said.filter(({ msg }) => msg.startsWith('OTEL_')).map(({ level }) => level)).toEqual([
    'warn',
    'warn',
  ])
})
