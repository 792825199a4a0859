import { expect, test } from 'vitest'

import type { Bus } from '../../src/stores/bus.ts'
import { openRedisBus } from '../../src/stores/redis/bus.ts'
import { parseRedisUrl } from '../../src/stores/redis/url.ts'
import { startRedis } from '../../src/testing/redis.ts'
import { until } from '../../src/testing/until.ts'
import { startCluster, startSentinel } from './topologies.ts'

interface Heard {
  readonly bus: Bus
  readonly messages: string[]
  gaps: number
}

async function listenOn(url: string): Promise<Heard> {
  const bus = await openRedisBus(parseRedisUrl(url)!, () => {})
  const heard: Heard = { bus, messages: [], gaps: 0 }
  bus.listen({
    onMessage: (message) => void heard.messages.push(message),
    onGap: () => void heard.gaps++,
  })
  return heard
}

/** Publishes until the other side hears it. */
async function crosses(from: Heard, to: Heard, text: string): Promise<void> {
  await until(async () => {
    from.bus.publish(text)
    // A subscription that hears nothing of its own process is opened again.
    to.bus.publish('tick')
    await new Promise((resolve) => setTimeout(resolve, 50))
    return to.messages.includes(text)
  }, 30_000)
}

test.each([
  ['one server', () => startRedis()],
  ['a cluster', startCluster],
  ['a sentinel', startSentinel],
] as const)(
  'processes hear each other on %s',
  async (_name, start) => {
    await using redis = await start()
    const [one, other] = [await listenOn(redis.url), await listenOn(redis.url)]
    await crosses(one, other, 'to the other')
    await crosses(other, one, 'and back')
    await Promise.all([one, other].map(({ bus }) => bus.close()))
  },
  90_000,
)

test('an outage is told at both ends, and ends by itself', async () => {
  await using redis = await startRedis()
  const [one, other] = [await listenOn(redis.url), await listenOn(redis.url)]
  await crosses(one, other, 'before')
  await redis.restart()
  await crosses(one, other, 'after')
  await crosses(other, one, 'and back')
  expect([one.gaps > 0, other.gaps > 0]).toEqual([true, true])
  await Promise.all([one, other].map(({ bus }) => bus.close()))
}, 60_000)
