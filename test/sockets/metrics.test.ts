import { expect, test } from 'vitest'

import { createMetrics } from '../../src/telemetry/metrics/index.ts'
import { until } from '../../src/testing/until.ts'
import { connectResponses, startStage } from './responses.ts'

test('metrics show how many sockets are open', async () => {
  await using stage = await startStage()
  const { sockets } = stage.gateway.gateway
  using metrics = createMetrics({ setting: { models: [], by: [] }, version: '1', now: Date.now })
  metrics.follow({
    inFlight: () => [],
    sockets: () => sockets.size,
    accounts: () => [],
    plugins: [],
    jobs: () => undefined,
  })
  const line = async () => /^dragoman_sockets_open .*$/m.exec(await metrics.text('prometheus'))?.[0]
  expect(await line()).toBe('dragoman_sockets_open 0')
  await using client = await connectResponses(stage.gateway)
  expect(await line()).toBe('dragoman_sockets_open 1')
  client.socket.terminate()
  await until(() => sockets.size === 0)
  expect(await line()).toBe('dragoman_sockets_open 0')
})
