import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import { afterEach, expect, test, vi } from 'vitest'

import { breakable } from '../../../src/telemetry/traces/sdk/exporter-breaker.ts'
import { until } from '../../../src/testing/until.ts'
import { startDrippingCollector } from '../dripping-collector.ts'
import { startCollector } from './collector.ts'
import { tracedStage } from './stage.ts'

afterEach(() => void vi.unstubAllEnvs())

/** An address with a user and a path can only come from the environment. */
const place = 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'

const body = { model: 'sandbox/echo', messages: [{ role: 'user', content: 'hi' }] }

test.each([
  ['takes no connection', undefined],
  ['never answers', () => {}],
  [
    'answers 503',
    (response: { writeHead(status: number): { end(): unknown } }) => {
      response.writeHead(503).end()
    },
  ],
])('with a collector that %s calls are served, and the gateway ends in time', async (_, answer) => {
  await using collector = await startCollector(answer)
  if (!answer) await collector[Symbol.asyncDispose]()
  await using stage = await tracedStage({ traces: { endpoint: collector.url } })
  const replies = await Promise.all(
    Array.from({ length: 150 }, () => stage.ask('/v1/chat/completions', body)),
  )
  for (const reply of replies) expect((await reply.text()).length).toBeGreaterThan(0)
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))

  const before = performance.now()
  await stage.gateway[Symbol.asyncDispose]()
  // Two seconds, on a busy machine more. The SDK itself takes eight to ten.
  expect(performance.now() - before).toBeLessThan(6_000)
  const messages = stage.gateway.log.map(({ msg }) => msg)
  expect(messages).toContain('the last spans could not be exported')
  expect(messages.filter((message) => String(message).includes('failed'))).toEqual([])
})

test('a collector that never ends its answers gets the next spans, and the log names it', async () => {
  await using collector = await startDrippingCollector(2)
  vi.stubEnv('OTEL_EXPORTER_OTLP_TRACES_TIMEOUT', '50')
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '10')
  vi.stubEnv(place, `http://u:canary@${collector.host}/canary-path`)
  await using stage = await tracedStage()
  for (let batch = 1; batch <= 3; batch++) {
    const reply = await stage.ask('/v1/chat/completions', body)
    await reply.text()
    await until(() => collector.paths.length === batch)
  }
  await until(() => collector.open === 0)
  const said = () => linesAbout(stage, collector.host)
  await until(() => said().length > 0)
  expect(said()).toMatchObject([
    {
      level: 'error',
      message: `traces cannot be exported to ${collector.host}: no answer within 50 ms`,
    },
  ])
  expect(JSON.stringify(stage.gateway.log)).not.toContain('canary')
})

test('the line about a collector that takes no connection names the signal and the place', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_TRACES_TIMEOUT', '500')
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '10')
  vi.stubEnv(place, 'http://u:canary@127.0.0.1:9/canary-path')
  await using stage = await tracedStage()
  await (await stage.ask('/v1/chat/completions', body)).text()
  const said = () => linesAbout(stage, '127.0.0.1:9:')
  await until(() => said().length > 0)
  expect(said()[0]).toMatchObject({
    level: 'error',
    message: expect.stringMatching(
      /^traces cannot be exported to 127\.0\.0\.1:9: .*ECONNREFUSED/,
    ) as string,
  })
  expect(JSON.stringify(stage.gateway.log)).not.toContain('canary')
})

/** The messages of the SDK go to the gateway that started last: lines about other collectors may be among them. */
function linesAbout({ gateway }: Awaited<ReturnType<typeof tracedStage>>, host: string) {
  return gateway.log.filter(({ message }) => String(message).includes(host))
}

const collector = { signal: 'traces', host: 'collector', timeoutMs: 1_000, drop() {} } as const

/** An exporter whose exports end as the test says. */
function scripted() {
  const exported: number[] = []
  let code: ExportResultCode = ExportResultCode.FAILED
  const waiting: ((result: ExportResult) => void)[] = []
  const exporter: SpanExporter = {
    export(spans, done) {
      exported.push(spans.length)
      waiting.push(done)
    },
    shutdown: () => Promise.resolve(),
  }
  return {
    exporter,
    exported,
    succeed: () => void (code = ExportResultCode.SUCCESS),
    settle: () => waiting.splice(0).forEach((done) => done({ code })),
  }
}

test('a collector that is away is asked once a minute, not for ever, and loses only these spans', () => {
  let time = 0
  const lines: [string, object | undefined][] = []
  const write = (message: string, fields?: object) => void lines.push([message, fields])
  const script = scripted()
  const exporter = breakable(script.exporter, {
    log: { warn: write, info: write },
    collector,
    now: () => time,
  })
  const results: ExportResultCode[] = []
  const send = (count: number) => {
    const spans = Array.from<ReadableSpan>({ length: count })
    exporter.export(spans, ({ code }) => results.push(code))
    script.settle()
  }

  for (let batch = 0; batch < 10; batch++) send(2)
  expect(script.exported).toEqual([2, 2, 2])
  expect(results).toHaveLength(10)
  time = 59_999
  send(2)
  expect(script.exported).toHaveLength(3)
  time = 60_001
  send(1)
  send(1)
  expect(script.exported).toEqual([2, 2, 2, 1])
  time = 200_000
  script.succeed()
  send(3)
  send(3)
  expect(script.exported.slice(-2)).toEqual([3, 3])
  expect(lines).toEqual([
    [
      'the collector of traces is away: spans are dropped',
      { fault: 'traces cannot be exported to collector: unknown' },
    ],
    ['traces are exported again', { dropped_spans: 24 }],
  ])
})

test('while one batch asks whether the collector is back, no other waits beside it', () => {
  let time = 0
  const script = scripted()
  const exporter = breakable(script.exporter, {
    log: { warn: () => {}, info: () => {} },
    collector,
    now: () => time,
  })
  const send = () => exporter.export([{} as ReadableSpan], () => {})
  for (let batch = 0; batch < 3; batch++) {
    send()
    script.settle()
  }
  time = 61_000
  send()
  send()
  expect(script.exported).toHaveLength(4)
})
