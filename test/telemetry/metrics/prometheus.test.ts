import { expect, test, vi } from 'vitest'

import { startSandbox } from '../../../src/sandbox/index.ts'
import { until } from '../../../src/testing/until.ts'
import { checkMetrics, startPrometheus } from './prometheus.ts'
import { metricsStage } from './stage.ts'

// Prometheus begins to scrape about five seconds after its start.
vi.setConfig({ testTimeout: 60_000 })

test('a real Prometheus finds nothing wrong with metrics, and answers queries', async () => {
  await using sandbox = await startSandbox()
  await using stage = await metricsStage({
    accounts: [
      {
        id: 'a',
        provider: 'sandbox',
        baseUrl: sandbox.url,
        apiKey: 'sandbox-key-a',
        models: { 'odd "name" é': 'sandbox/words=4' },
      },
    ],
    telemetry: { metrics: { requireToken: true } },
  })
  const chat = { model: 'odd "name" é', messages: [{ role: 'user', content: 'hi' }] }
  expect(await stage.call('/v1/chat/completions', chat)).toBe(200)
  const streamed = { ...chat, stream: true, stream_options: { include_usage: true } }
  expect(await stage.call('/v1/chat/completions', streamed)).toBe(200)
  expect(await stage.call('/v1/nothing', chat)).toBe(404)
  const { text, status } = await stage.scrape({ authorization: `Bearer ${stage.token}` })
  expect(status).toBe(200)
  expect(await checkMetrics(text)).toBe('')

  await using prometheus = await startPrometheus({
    targets: [new URL(stage.adminUrl).host],
    token: stage.token,
  })
  expect(await prometheus.scraped()).toBe('')
  const one = async (expression: string) => (await prometheus.query(expression))[0]?.value[1]
  await until(async () => (await one('up')) === '1')
  expect(await one('sum(http_server_request_duration_seconds_count)')).toBe('3')
  expect(await one('dragoman_upstream_attempts_total{outcome="ok"}')).toBe('2')
  expect(await one('dragoman_build_info')).toBe('1')
  const [found] = await prometheus.query(
    `histogram_quantile(0.95, gen_ai_client_operation_duration_seconds_bucket{gen_ai_request_model="odd \\"name\\" é"})`,
  )
  expect(Number(found?.value[1])).toBeGreaterThan(0)
  expect(await one('gen_ai_client_token_usage_sum{gen_ai_token_type="output"}')).toBe('8')
})
