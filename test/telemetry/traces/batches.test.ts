import type { ServerResponse } from 'node:http'

import { afterEach, expect, test, vi } from 'vitest'

import { until } from '../../../src/testing/until.ts'
import { startCollector } from './collector.ts'
import { type TracedStage, tracedStage } from './stage.ts'

afterEach(() => void vi.unstubAllEnvs())

/** Requests with one span each. */
async function ask({ ask: send }: TracedStage, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, async () => (await send('/nowhere')).text()))
}

test('a burst of spans goes out in batches of 128 one after another, without the delay of a part of one', async () => {
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '3600000')
  await using stage = await tracedStage()
  await ask(stage, 400)
  await until(() => stage.collector.spans.length === 384)
  expect(stage.collector.requests).toHaveLength(3)
  await stage.gateway[Symbol.asyncDispose]()
  expect(stage.collector.spans).toHaveLength(400)
})

test('the environment has another size of batches', async () => {
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '3600000')
  vi.stubEnv('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', '5')
  await using stage = await tracedStage()
  await ask(stage, 10)
  await until(() => stage.collector.requests.length === 2)
  expect(stage.collector.spans).toHaveLength(10)
})

test('a gateway that ends sends a full queue beside the batch that is on its way', async () => {
  // More batches than a full queue has by default.
  vi.stubEnv('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', '1')
  vi.stubEnv('OTEL_BSP_MAX_QUEUE_SIZE', '80')
  const open: ServerResponse[] = []
  await using collector = await startCollector((response) => void open.push(response))
  await using stage = await tracedStage({ traces: { endpoint: collector.url } })
  await ask(stage, 1)
  await until(() => open.length === 1)
  await ask(stage, 80)
  const ended = stage.gateway[Symbol.asyncDispose]()
  await until(() => open.length === 81)
  for (const response of open) response.writeHead(200).end()
  await ended
  expect(collector.spans).toHaveLength(81)
})
