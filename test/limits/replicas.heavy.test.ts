import { setTimeout as wait } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { startRedis } from '../../src/testing/redis.ts'
import { until } from '../../src/testing/until.ts'
import { limitStage } from './stage.ts'

const echo = 'sandbox/echo'

test('a Redis that stands still amid calls of two replicas loses no charge, and charges none twice', async () => {
  await using redis = await startRedis()
  const options = {
    store: redis.url,
    key: [
      { kind: 'cost', amount: '0.0005', window: 'day' },
      { kind: 'tokens', amount: 1_000_000, window: 'day' },
    ],
  }
  await using one = await limitStage(options)
  await using other = await limitStage(options)
  const served: number[] = []
  let stale = 0
  const call = async (index: number) => {
    const { status, text, headers } = await (index % 2 === 0 ? one : other).chat(echo, {
      max_tokens: 20,
    })
    if (status !== 200) return expect([402, 429, 503]).toContain(status)
    const { usage } = JSON.parse(text) as { usage: { total_tokens: number } }
    served.push(usage.total_tokens)
    if (headers.get('x-dragoman-stale') === 'limits') stale++
  }
  // The sums are known to both when the store goes away.
  await call(0)
  await call(1)
  await one.settled()
  const begun = Array.from({ length: 16 }, (_, index) => call(index))
  redis.pause()
  const meanwhile = Array.from({ length: 16 }, (_, index) => call(index))
  await wait(1_000)
  const later = Array.from({ length: 8 }, (_, index) => call(index))
  await Promise.all([...begun, ...meanwhile, ...later])
  redis.resume()
  const used = served.reduce((sum, tokens) => sum + tokens, 0)
  // What waits in files is charged once, whether or not Redis has done what it was asked before.
  await until(async () => {
    const [cost, tokens] = await one.limits().catch(() => [])
    const isCharged = Number(tokens?.spent) === used && Number(tokens?.held) === 0
    return isCharged && Math.abs(Number(cost?.spent) - used / 1e6) < 1e-12
  })
  // Calls were served while nothing could be asked.
  expect(stale).toBeGreaterThan(0)
  expect(await other.settled()).toMatchObject([{}, { spent: used }])
})
