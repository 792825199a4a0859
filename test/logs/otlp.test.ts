import { afterEach, expect, test, vi } from 'vitest'

import { openLogs } from '../../src/cli/logs/index.ts'
import { sendLogs } from '../../src/cli/logs/index.ts'
import { resolveSettings } from '../../src/configuration/resolve.ts'
import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { collectLines } from '../../src/testing/lines.ts'
import { until } from '../../src/testing/until.ts'
import { ledgerRow } from '../history/ledger-row.ts'
import { startDrippingCollector } from '../telemetry/dripping-collector.ts'

interface Sent {
  readonly eventName?: string
  readonly body: { readonly stringValue: string }
  readonly severityNumber: number
  readonly traceId?: string
  readonly spanId?: string
  readonly attributes: { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
}

afterEach(() => void vi.unstubAllEnvs())

/** The logs of a process with these variables, and what it writes itself. */
async function openStage(env: Record<string, string>, telemetry = {}) {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  const resources = new AsyncDisposableStack()
  const own = collectLines()
  const settings = resolveSettings({ telemetry }, { env })
  const terminal = { stdout: collectLines().sink, stderr: own.sink, env }
  const logs = resources.use(openLogs(settings.log, terminal, undefined))
  const push = await sendLogs(settings.telemetry.logs, logs, resources)
  return { ...logs, push, own: own.lines, end: () => resources.disposeAsync() }
}

function sentIn(requests: readonly { readonly body: Buffer }[]): Sent[] {
  return requests.flatMap(({ body }) => {
    const { resourceLogs } = JSON.parse(body.toString()) as {
      resourceLogs: { scopeLogs: { logRecords: Sent[] }[] }[]
    }
    return resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.flatMap((one) => one.logRecords))
  })
}

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'

test('a collector gets the log with its traces, and no access log', async () => {
  await using collector = await startFakeAccount(answerJson({}))
  const stage = await openStage({
    OTEL_LOGS_EXPORTER: 'otlp',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  })
  stage.log.debug('below the level')
  stage.log.warn('an attempt failed', {
    trace_id: traceId,
    span_id: spanId,
    account: 'a',
    status: 503,
    excluded: ['b'],
  })
  stage.lines.writeJson({ time: new Date().toISOString(), level: 'info', msg: 'exchange' })
  await stage.end()

  expect(collector.requests.map(({ url }) => url)).toEqual(['/v1/logs'])
  const [record, ...others] = sentIn(collector.requests)
  expect(others).toEqual([])
  expect(record).toMatchObject({
    body: { stringValue: 'an attempt failed' },
    severityNumber: 13,
    traceId,
    spanId,
  })
  expect(
    Object.fromEntries(record?.attributes.map(({ key, value }) => [key, value]) ?? []),
  ).toEqual({
    account: { stringValue: 'a' },
    status: { intValue: 503 },
    excluded: { stringValue: '["b"]' },
  })
  expect(stage.own.map(({ msg }) => msg)).toEqual(['an attempt failed'])
})

test('the access log is sent where that is asked for', async () => {
  await using collector = await startFakeAccount(answerJson({}))
  const stage = await openStage(
    {
      OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: `${collector.url}/v1/logs`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    },
    { logs: { otlp: true, access: true } },
  )
  stage.lines.writeJson({
    time: new Date().toISOString(),
    level: 'info',
    msg: 'exchange',
    status: 200,
  })
  await stage.end()
  expect(sentIn(collector.requests).map(({ body }) => body.stringValue)).toEqual(['exchange'])
})

test('rows of the ledger are events with their members', async () => {
  await using collector = await startFakeAccount(answerJson({}))
  const stage = await openStage(
    {
      OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: `${collector.url}/v1/logs`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    },
    { logs: { otlp: true, ledger: true } },
  )
  const tokens = { inputTokens: 3, outputTokens: 2 }
  stage.push!.pushRows([ledgerRow({ exchange: 'req_1', tokens }), ledgerRow({ costNano: null })])
  await stage.end()
  const [first, second] = sentIn(collector.requests).map(({ eventName, attributes }) => ({
    eventName,
    ...Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
  }))
  expect(first).toMatchObject({
    eventName: 'dragoman.attempt',
    exchange: 'req_1',
    accountId: 'a',
    costNano: 1_000,
    tokens: JSON.stringify(tokens),
  })
  // An unknown cost is absent, never 0.
  expect(second).not.toHaveProperty('costNano')
})

test('a collector that is away is one line, and holds nothing up', async () => {
  const stage = await openStage({
    OTEL_LOGS_EXPORTER: 'otlp',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9/secret-path',
  })
  for (let number = 0; number < 5_000; number++) stage.log.info('busy')
  await stage.end()
  const others = stage.own.filter(({ msg }) => msg !== 'busy')
  expect(stage.own.length - others.length).toBe(5_000)
  expect(others.length).toBeLessThanOrEqual(2)
  expect(JSON.stringify(others)).not.toContain('secret-path')
})

test('a collector that never ends its answers gets the next records, and the log names it', async () => {
  await using collector = await startDrippingCollector(1)
  const stage = await openStage({
    OTEL_LOGS_EXPORTER: 'otlp',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://u:canary@${collector.host}/canary-path`,
    OTEL_EXPORTER_OTLP_LOGS_TIMEOUT: '50',
    OTEL_BLRP_SCHEDULE_DELAY: '10',
  })
  stage.log.info('first')
  await until(() => collector.paths.length === 1)
  stage.log.info('second')
  await until(() => collector.paths.length === 2)
  await until(() => collector.open === 0)
  await stage.end()
  const others = stage.own.filter(({ level }) => level !== 'info')
  expect(others).toMatchObject([{ level: 'warn', collector: collector.host }])
  expect(JSON.stringify(others)).not.toContain('canary')
})

test('nothing is sent where the environment refuses, and a wrong protocol is in the log', async () => {
  const refused = await openStage({ OTEL_LOGS_EXPORTER: 'none' }, { logs: { otlp: true } })
  refused.log.info('alone')
  await refused.end()
  expect(refused.own.map(({ msg }) => msg)).toEqual(['alone'])

  const wrong = await openStage({
    OTEL_LOGS_EXPORTER: 'otlp',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
  })
  await wrong.end()
  expect(wrong.own).toMatchObject([
    { level: 'error', error: expect.stringContaining('http/protobuf') as string },
  ])
})
