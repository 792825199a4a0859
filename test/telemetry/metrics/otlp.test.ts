import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

import { expect, test, vi } from 'vitest'

import { createLog } from '../../../src/lib/log.ts'
import { answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { collectLines } from '../../../src/testing/lines.ts'
import { until } from '../../../src/testing/until.ts'
import { pushMetrics } from '../../../src/telemetry/metrics/otlp.ts'
import { startDrippingCollector } from '../dripping-collector.ts'
import { metricsStage } from './stage.ts'

interface Attribute {
  key: string
  value: { stringValue?: string; boolValue?: boolean }
}

interface Metric {
  name: string
  unit: string
  histogram?: { aggregationTemporality: number; dataPoints: Point[] }
  sum?: { aggregationTemporality: number; isMonotonic: boolean; dataPoints: Point[] }
  gauge?: { dataPoints: Point[] }
}

interface Point {
  attributes: Attribute[]
  count?: number
  sum?: number
  asDouble?: number
  bucketCounts?: number[]
  explicitBounds?: number[]
}

const account = { provider: 'openai', apiKey: 'sk-canary', speaks: ['chat'], models: ['gpt-a'] }
const reply = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-a',
  choices: [{ index: 0, message: { role: 'assistant', content: 'x' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 },
}

test('a collector gets the metrics under their names in OTLP, with no secret', async () => {
  await using collector = await startFakeAccount(answerJson({}))
  await using upstream = await startFakeAccount(answerJson(reply))
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url)
  vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'deployment.environment.name=test')
  const env = { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', OTEL_METRIC_EXPORT_INTERVAL: '20' }
  await using stage = await metricsStage({
    accounts: [{ ...account, id: 'a', baseUrl: `${upstream.url}/v1` }],
  })
  const chat = { model: 'gpt-a', messages: [{ role: 'user', content: 'hi' }] }
  expect(await stage.call('/v1/chat/completions', chat)).toBe(200)
  await stage.sample('dragoman_upstream_attempts_total{account="a",outcome="ok"}')
  const push = await pushMetrics({
    metrics: stage.metrics,
    log: createLog({ write() {} }),
    version: '1.2.3',
    env,
  })
  await until(() => collector.requests.length > 2)
  await push[Symbol.asyncDispose]()
  vi.unstubAllEnvs()

  const { url, body } = collector.requests.at(-1)!
  expect(url).toBe('/v1/metrics')
  expect(body.toString()).not.toMatch(/canary|secret-of-a-key|dga_/)
  const { resourceMetrics } = JSON.parse(body.toString()) as {
    resourceMetrics: {
      resource: { attributes: Attribute[] }
      scopeMetrics: { metrics: Metric[] }[]
    }[]
  }
  const [{ resource, scopeMetrics } = { resource: { attributes: [] }, scopeMetrics: [] }] =
    resourceMetrics
  expect(textOf(resource.attributes)).toMatchObject({
    'service.name': 'dragoman',
    'service.version': '1.2.3',
    'service.instance.id': expect.any(String) as string,
    'deployment.environment.name': 'test',
  })
  const metrics = new Map(scopeMetrics[0]!.metrics.map((metric) => [metric.name, metric]))
  const duration = metrics.get('gen_ai.client.operation.duration')
  expect(duration).toMatchObject({ unit: 's', histogram: { aggregationTemporality: 2 } })
  const [point] = duration!.histogram!.dataPoints
  expect(textOf(point!.attributes)).toEqual({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'gpt-a',
    'gen_ai.response.model': 'gpt-a',
  })
  expect(point).toMatchObject({ count: 1, explicitBounds: expect.any(Array) as number[] })
  expect(point!.bucketCounts).toHaveLength(point!.explicitBounds!.length + 1)
  expect(metrics.get('dragoman.upstream.attempts')?.sum).toMatchObject({
    aggregationTemporality: 2,
    isMonotonic: true,
    dataPoints: [{ asDouble: 1 }],
  })
  expect(metrics.get('http.server.active_requests')?.sum).toMatchObject({ isMonotonic: false })
  expect(metrics.get('dragoman.account.available')?.gauge).toBeDefined()
})

test('a collector that is away or silent delays no end, and the log says so once', async () => {
  const log = collectLines()
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  vi.stubEnv('OTEL_EXPORTER_OTLP_METRICS_ENDPOINT', `http://127.0.0.1:${port}/v1/metrics`)
  await using stage = await metricsStage({ accounts: [] })
  const { metrics } = stage
  const push = await pushMetrics({
    metrics,
    log: createLog(log.sink),
    version: '1',
    env: { OTEL_METRIC_EXPORT_INTERVAL: '10' },
  })
  const startedAt = performance.now()
  await push[Symbol.asyncDispose]()
  expect(performance.now() - startedAt).toBeLessThan(3_000)
  silent.closeAllConnections()
  silent.close()

  vi.stubEnv('OTEL_EXPORTER_OTLP_METRICS_ENDPOINT', 'http://u:canary@127.0.0.1:9/')
  vi.stubEnv('OTEL_EXPORTER_OTLP_METRICS_TIMEOUT', '50')
  const away = await pushMetrics({
    metrics,
    log: createLog(log.sink),
    version: '1',
    env: { OTEL_METRIC_EXPORT_INTERVAL: '10' },
  })
  await until(() => log.lines.some(({ level }) => level === 'warn'))
  await away[Symbol.asyncDispose]()
  vi.unstubAllEnvs()
  expect(log.lines.filter(({ level }) => level === 'warn')).toHaveLength(1)
  expect(JSON.stringify(log.lines)).not.toContain('canary')
})

test('a collector that never ends its answers gets the next push, and the log says so once', async () => {
  const log = collectLines()
  await using collector = await startDrippingCollector(40)
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', `http://u:canary@${collector.host}/canary-path`)
  vi.stubEnv('OTEL_EXPORTER_OTLP_METRICS_TIMEOUT', '40')
  await using stage = await metricsStage({ accounts: [] })
  const push = await pushMetrics({
    metrics: stage.metrics,
    log: createLog(log.sink),
    version: '1',
    env: { OTEL_METRIC_EXPORT_INTERVAL: '10' },
  })
  // Exports that hang would be more than the exporter has at a time.
  await until(() => collector.paths.length > 42)
  await until(() => collector.open === 0)
  await push[Symbol.asyncDispose]()
  vi.unstubAllEnvs()
  expect(log.lines.filter(({ level }) => level === 'warn')).toMatchObject([
    { msg: 'metrics cannot be pushed; the next push has them', collector: collector.host },
  ])
  expect(JSON.stringify(log.lines)).not.toContain('canary')
})

function textOf(attributes: Attribute[]): Record<string, string | undefined> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue]))
}
